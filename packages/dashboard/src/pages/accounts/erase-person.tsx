import { useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Select, TextField } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { plural, readable } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import { type Erasure, entityTypes, isPerson } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

const people = entityTypes.filter(isPerson)
const places: Readonly<Record<keyof Erasure['found'], readonly [one: string, many: string]>> = {
  writes: ['finished write', 'finished writes'],
  changes: ['change', 'changes'],
  hints: ['waiting record', 'waiting records'],
  deliveries: ['webhook delivery', 'webhook deliveries'],
  activity: ['request', 'requests'],
  migrationReports: ['migration report', 'migration reports'],
  migrationRecords: ['record in migrations', 'records in migrations'],
}

/** Removes one person from what is stored of the account. */
export function ErasePerson({ accountId }: { accountId: string }) {
  const { call } = useWorkspace()
  const [entityType, setEntityType] = useState(people[0] as (typeof people)[number])
  const [id, setId] = useState('')
  const [asked, setAsked] = useState(false)
  const [every, setEvery] = useState<number>()
  const { data, refresh } = useManage('listErasures', { path: { accountId }, query: { limit: 5 } }, { every })
  const isOpen = data?.data.some(({ state }) => state !== 'done') ?? false
  useEffect(() => setEvery(isOpen ? 1000 : undefined), [isOpen])
  const person = { entityType, id: id.trim() }
  const plan = useAction(async () => {
    await call('erasePerson', { path: { accountId }, body: { ...person, plan: true } })
    await refresh()
  })
  return (
    <Section
      title="Erase a person"
      about="Removes one person from writes, changes, deliveries, activity, and migrations of this account. Delete the record at the platform first. Writes that are sent again are still not made twice."
    >
      <form
        className="connect-grid"
        onSubmit={(event) => {
          event.preventDefault()
          void plan.run()
        }}
      >
        <Select
          label="The person is a"
          value={entityType}
          onChange={setEntityType}
          choices={people.map((value) => ({ value, label: readable(value) }))}
        />
        <TextField label="Platform ID" mono value={id} onChange={setId} autoComplete="off" {...limits.erasePerson.id} />
        {plan.error ? <Failure error={plan.error} kept="Nothing was erased." /> : null}
        <div className="row">
          <Button needs="admin" type="submit" busy={plan.busy} disabled={person.id === ''}>
            Count entries
          </Button>
          <Button needs="admin" kind="danger" disabled={person.id === ''} onClick={() => setAsked(true)}>
            Erase person
          </Button>
        </div>
      </form>
      {data && data.data.length > 0 ? (
        <ul className="erasures" aria-label="Erasures">
          {data.data.map((one) => (
            <Report key={one.id} of={one} />
          ))}
        </ul>
      ) : null}
      {asked ? (
        <Confirm
          title="Erase this person?"
          consequence={<p>What the service has stored about them is removed and cannot be restored.</p>}
          typed={person.id}
          submit="Erase person"
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await call('erasePerson', { path: { accountId }, body: person })
            setId('')
            await refresh()
          }}
        />
      ) : null}
    </Section>
  )
}

function Report({ of }: { of: Erasure }) {
  const found = (Object.keys(places) as (keyof typeof places)[]).filter((place) => of.found[place] > 0)
  const total = found.reduce((sum, place) => sum + of.found[place], 0)
  const nothing =
    of.state === 'done'
      ? 'Nothing is stored of this ID. Check that it is the ID at the platform.'
      : 'Nothing found yet.'
  return (
    <li>
      <div className="spread">
        <span className="row">
          <State tone={of.state === 'done' ? 'ok' : 'waiting'}>
            {of.plan ? 'Count' : 'Erasure'}: {of.state}
          </State>
          <span className="number">{plural(total, 'entry', 'entries')}</span>
        </span>
        <span className="small faint">
          {of.createdBy}, <Moment at={of.createdAt} />
        </span>
      </div>
      <p className="small soft">
        {found.map((place) => plural(of.found[place], ...places[place])).join(', ') || nothing}
        {of.openWrites > 0 ? ` ${plural(of.openWrites, 'write')} not finished.` : ''}
        {of.unsettled > 0 ? ` ${plural(of.unsettled, 'open create')} without a platform ID.` : ''}
      </p>
    </li>
  )
}
