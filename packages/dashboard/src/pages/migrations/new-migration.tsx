import { useState } from 'react'
import { useLocation } from 'wouter'
import { AccountPicker } from '../../components/account-picker.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { Page, Section } from '../../components/page.tsx'
import { readable } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import type { NewMigration } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Steps } from './steps.tsx'
import { movable, titleOf } from './words.tsx'

const states = ['OPEN', 'PENDING', 'COMPLETED', 'CANCELED'] as const
const without = <T,>(list: readonly T[], value: T, keep: boolean): T[] =>
  keep ? [...list, value] : list.filter((one) => one !== value)

export default function NewMigrationPage() {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const query = useQuery()
  const [from, to] = [query.get('from'), query.get('to')]
  const [entities, setEntities] = useState<(typeof movable)[number][]>([...movable])
  const [since, setSince] = useState('')
  const [chosen, setChosen] = useState<(typeof states)[number][]>([...states])
  const [location, setLocation] = useState('')
  const [prefix, setPrefix] = useState('')
  const [link, setLink] = useState(false)
  const plan = useAction(async () => {
    const asked: NewMigration = {
      from,
      to,
      entities: movable.filter((entity) => entities.includes(entity)),
      ordersSince: since ? new Date(since).toISOString() : undefined,
      orderStates: chosen.length === states.length ? undefined : chosen,
      location: location.trim() || undefined,
      prefix: prefix.trim() || undefined,
      link: link || undefined,
    }
    const { id } = await call('planMigration', { body: asked })
    navigate(page('migrations', id))
  })
  const wrong = plan.error?.violationOf('/to')
  return (
    <Page
      title="New migration"
      parent={{ label: 'Migrations', href: page('migrations') }}
      about="Choose what to copy. The next step reads both accounts and shows what would happen; it writes nothing."
    >
      <Steps shown="Accounts" reached="Accounts" />
      <form
        className="stack migration-form"
        onSubmit={(event) => {
          event.preventDefault()
          void plan.run()
        }}
      >
        <Section title="Accounts">
          <div className="columns">
            <Picker label="From" accountId={from} onChoose={(id) => query.set({ from: id }, 'replace')} />
            <Picker label="To" except={from} accountId={to} onChoose={(id) => query.set({ to: id }, 'replace')} />
          </div>
        </Section>
        <Section title="Records">
          <div className="stack">
            <fieldset className="migration-choices">
              <legend>Copy</legend>
              {movable.map((entity) => (
                <Checkbox
                  key={entity}
                  label={titleOf(entity)}
                  checked={entities.includes(entity)}
                  onChange={(checked) => setEntities(without(entities, entity, checked))}
                />
              ))}
            </fieldset>
            {entities.includes('order') ? (
              <>
                <fieldset className="migration-choices">
                  <legend>Orders that are</legend>
                  {states.map((state) => (
                    <Checkbox
                      key={state}
                      label={readable(state.toLowerCase())}
                      checked={chosen.includes(state)}
                      onChange={(checked) => setChosen(without(chosen, state, checked))}
                    />
                  ))}
                </fieldset>
                <div className="columns">
                  <TextField
                    label="Orders since"
                    type="date"
                    value={since}
                    onChange={setSince}
                    hint="Older orders are skipped. Empty: all orders."
                  />
                  <TextField
                    label="Location"
                    value={location}
                    onChange={setLocation}
                    hint="Linked ID of the target’s location for all orders. Empty: the linked or the only one."
                  />
                </div>
              </>
            ) : null}
            <TextField
              label="Prefix of source IDs"
              value={prefix}
              onChange={setPrefix}
              {...limits.planMigration.prefix}
              hint="Only if several accounts go to one target and their IDs could be the same."
            />
            <Checkbox
              label="Link records that the target does not let you write"
              hint="They are matched by code or name, so that orders can reference them."
              checked={link}
              onChange={setLink}
            />
          </div>
        </Section>
        {plan.error ? (
          <Failure error={plan.error} kept="Nothing was started." sentences={wrong ? [`To ${wrong}.`] : undefined} />
        ) : null}
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            needs="operator"
            busy={plan.busy}
            disabled={!from || !to || entities.length === 0 || (entities.includes('order') && chosen.length === 0)}
          >
            Plan migration
          </Button>
        </div>
      </form>
    </Page>
  )
}

interface Picked {
  label: string
  accountId: string
  except?: string
  onChoose(id: string): void
}
function Picker({ accountId, ...more }: Picked) {
  const { data } = useManage(accountId ? 'getAccount' : undefined, { path: { accountId } })
  return <AccountPicker accountId={accountId} name={data?.name ?? accountId} {...more} />
}
