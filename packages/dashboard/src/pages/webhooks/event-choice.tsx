import { Checkbox, Radio } from '../../components/field.tsx'
import { plural } from '../../format.ts'
import { type Choice, type EventGroup, otherGroups, recordGroups } from './events.ts'

interface EventChoiceProps {
  choice: Choice
  types: ReadonlySet<string>
  error: string | undefined
  onChoose(choice: Choice): void
  onTypes(types: ReadonlySet<string>): void
}

export function EventChoice({ choice, types, error, onChoose, onTypes }: EventChoiceProps) {
  const radio = (value: Choice, label: string, hint: string) => (
    <Radio name="events" label={label} hint={hint} checked={choice === value} onChoose={() => onChoose(value)} />
  )
  return (
    <fieldset className="webhook-fieldset stack-small" aria-describedby={error ? 'webhook-events-error' : undefined}>
      <legend className="unseen">Events</legend>
      {radio('all', 'All events', 'Changes of records, accounts, and writes, including types that are added later.')}
      {radio(
        'notifications',
        'Notifications for operators',
        'An account must be reconnected, another endpoint fails or is disabled, or a delivery has failed.',
      )}
      {radio('selected', 'Selected events', 'Choose types below.')}
      {choice === 'selected' ? (
        <div className="webhook-events">
          <p className="small faint" role="status">
            {types.size === 0 ? 'No event selected' : `${plural(types.size, 'event')} selected`}
          </p>
          {[...recordGroups, ...otherGroups].map((group) => (
            <Group key={group.name} group={group} types={types} onTypes={onTypes} />
          ))}
        </div>
      ) : null}
      {error ? (
        <div id="webhook-events-error" className="field-error">
          {error}
        </div>
      ) : null}
    </fieldset>
  )
}

function Group({
  group: { name, label, kinds },
  types,
  onTypes,
}: { group: EventGroup } & Pick<EventChoiceProps, 'types' | 'onTypes'>) {
  const own = kinds.map(({ kind }) => `${name}.${kind}`)
  const set = (changed: readonly string[], isOn: boolean) => {
    const next = new Set(types)
    for (const type of changed) {
      if (isOn) next.add(type)
      else next.delete(type)
    }
    onTypes(next)
  }
  return (
    <fieldset className="webhook-group">
      <legend className="unseen">{label}</legend>
      {own.length > 1 ? (
        <Checkbox label={label} checked={own.every((type) => types.has(type))} onChange={(isOn) => set(own, isOn)} />
      ) : (
        <span className="webhook-group-name">{label}</span>
      )}
      {kinds.map(({ kind, label: text }) => (
        <Checkbox
          key={kind}
          label={text}
          checked={types.has(`${name}.${kind}`)}
          onChange={(isOn) => set([`${name}.${kind}`], isOn)}
        />
      ))}
    </fieldset>
  )
}
