import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Checkbox, Select } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { manyOf, readable } from '../../format.ts'
import { type EntityType, entityTypes, type Intervals, type WorkspaceWatches } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { every, type IntervalName, intervalChoices, standardOf, withInterval } from '../changes/intervals.ts'
import './settings.css'

export function WatchDefaults() {
  const loaded = useManage('getWorkspaceWatches')
  return (
    <Section
      title="Change feed"
      about="Entities that are watched in all accounts that offer them, existing and new. An account can override them on its Changes tab."
    >
      <Content of={loaded} shape={<Skeleton height={280} />}>
        {(data) => <DefaultsForm key={JSON.stringify(data)} saved={data} onSaved={loaded.put} />}
      </Content>
    </Section>
  )
}

const standards: Record<IntervalName, string> = {
  pollSeconds: `Standard: ${every('pollSeconds', standardOf('pollSeconds', 'poll'))}`,
  walkHours: `Standard: ${every('walkHours', standardOf('walkHours', 'poll'))}`,
}

function DefaultsForm({ saved, onSaved }: { saved: WorkspaceWatches; onSaved(watches: WorkspaceWatches): void }) {
  const { call } = useWorkspace()
  const [entities, setEntities] = useState(saved.entities)
  const [keepRecords, setKeepRecords] = useState(saved.keepRecords)
  const [asked, setAsked] = useState(false)
  const put = async () => {
    onSaved(await call('setWorkspaceWatches', { body: { entities, keepRecords } }))
    say('Settings saved')
  }
  const save = useAction(put)
  const ended = entityTypes.filter((entityType) => saved.entities[entityType] && !entities[entityType])
  const changed = !isSame({ entities, keepRecords }, saved)
  const toggle = (entityType: EntityType, isOn: boolean) => {
    const { [entityType]: _, ...rest } = entities
    // A box that is ticked again has the intervals that it had.
    setEntities(isOn ? { ...rest, [entityType]: saved.entities[entityType] ?? {} } : rest)
  }
  const interval = (entityType: EntityType, watch: Intervals, name: IntervalName, label: string) => (
    <Select
      label={label}
      aria-label={`${label}: ${manyOf(entityType)}`}
      value={String(watch[name] ?? '')}
      choices={intervalChoices(name, saved.entities[entityType]?.[name], standards[name])}
      onChange={(text) => setEntities({ ...entities, [entityType]: withInterval(watch, name, text) })}
    />
  )
  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (ended.length > 0) setAsked(true)
          else void save.run()
        }}
      >
        <div className="watch-defaults">
          <div className="watch-defaults-head" aria-hidden>
            <span>Entity</span>
            <span>Poll</span>
            <span>Walk</span>
          </div>
          <ul>
            {entityTypes.map((entityType) => {
              const watch = entities[entityType]
              return (
                <li key={entityType}>
                  <Checkbox
                    label={readable(manyOf(entityType))}
                    checked={watch !== undefined}
                    onChange={(isOn) => toggle(entityType, isOn)}
                  />
                  {watch ? (
                    <>
                      {interval(entityType, watch, 'pollSeconds', 'Poll')}
                      {interval(entityType, watch, 'walkHours', 'Walk')}
                    </>
                  ) : (
                    <span className="faint">Not watched</span>
                  )}
                </li>
              )
            })}
          </ul>
        </div>
        <dl className="setting-notes">
          <div>
            <dt>Poll</dt>
            <dd>Reads what was modified since the last poll. It finds creates and updates.</dd>
          </div>
          <div>
            <dt>Walk</dt>
            <dd>
              Reads all records. It finds deletes, and changes that polls cannot see. Where a platform cannot list
              records by modification time, there are no polls, and the standard is a walk every hour.
            </dd>
          </div>
          <div>
            <dt>Rate limit</dt>
            <dd>
              Requests of your integrations come first. Polls and walks use at most a tenth of the rate limit of an
              account; their intervals get longer if necessary.
            </dd>
          </div>
        </dl>
        <div className="setting-choice">
          <Checkbox
            label="Store records with changes"
            hint="Each change contains the record, encrypted, for as long as the change is kept. Without it, a change has the ID only, your integration reads the record itself, and changed fields are not known. Applies to new changes."
            checked={keepRecords}
            onChange={setKeepRecords}
          />
        </div>
        {save.error ? <Failure error={save.error} kept="The settings were not changed." /> : null}
        <div className="row">
          <Button needs="operator" kind="primary" type="submit" busy={save.busy} disabled={!changed}>
            Save change feed
          </Button>
          {changed ? (
            <Button
              onClick={() => {
                setEntities(saved.entities)
                setKeepRecords(saved.keepRecords)
              }}
            >
              Discard changes
            </Button>
          ) : null}
        </div>
      </form>
      {asked ? (
        <Confirm
          title={`Stop watching ${listed(ended.map(manyOf))}?`}
          consequence={
            <p>
              In all accounts without a setting of their own, changes to {listed(ended.map(manyOf))} are no longer
              reported, and cursors that include them expire. If you watch them again later, copies start over.
            </p>
          }
          submit="Save and stop watching"
          onClose={() => setAsked(false)}
          onConfirm={put}
        />
      ) : null}
    </>
  )
}

const sorted = new Intl.ListFormat('en')
const listed = (words: readonly string[]) => sorted.format(words)

function isSame(left: WorkspaceWatches, right: WorkspaceWatches): boolean {
  const text = ({ entities, keepRecords }: WorkspaceWatches) =>
    JSON.stringify([
      keepRecords,
      entityTypes.map((entityType) => {
        const watch = entities[entityType]
        return watch ? [watch.pollSeconds, watch.walkHours] : null
      }),
    ])
  return text(left) === text(right)
}
