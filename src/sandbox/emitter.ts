// From a change of a collection to the events that a platform tells about it. How they are signed and who gets them is
// the platform's own.
import type { RecordChange } from './collection.ts'
import type { Webhooks } from './simulator.ts'

export type ChangeKind = 'created' | 'updated' | 'deleted'
export interface Changed<T> {
  kind: ChangeKind
  collection: string
  id: string
  record: T // after the change; of a deleted record, the last one
  before: T | undefined
}
export interface Emission<T, Event> {
  /** Where a deleted record stays in its collection: whether it is one. */
  isDeleted?(record: T): boolean
  /** Several events, or none, where the platform says nothing of the change. */
  event(change: Changed<T>): Event | readonly Event[] | undefined
}
// biome-ignore lint/suspicious/noExplicitAny: every collection has records of its own type
export type Emissions<Event> = Readonly<Record<string, Emission<any, Event>>>

export interface EmitOptions<Event> {
  webhooks: Webhooks | undefined
  emissions: Emissions<Event> // by the name of the collection
  /** Where several businesses have collections of their own. */
  nameOf?(collection: string): string | undefined
  /** One webhook for the changes of one call; by default each event is sent by itself. */
  together?: boolean
  send(events: readonly [Event, ...Event[]]): void
}
export function emitEvents<Event>({
  webhooks,
  emissions,
  nameOf = String,
  together = false,
  send,
}: EmitOptions<Event>): void {
  let waiting: Event[] = []
  const flush = () => {
    const [first, ...rest] = waiting
    waiting = []
    if (first !== undefined) send([first, ...rest])
  }
  webhooks?.onChange((change) => {
    const name = nameOf(change.collection) ?? ''
    const emission = Object.hasOwn(emissions, name) ? emissions[name] : undefined
    const told = emission?.event(changed(change, emission.isDeleted))
    if (told === undefined) return
    for (const event of Array.isArray(told) ? (told as readonly Event[]) : [told as Event]) {
      if (!together) send([event])
      else if (waiting.push(event) === 1) queueMicrotask(flush)
    }
  })
}

function changed<T>(
  { collection, id, record, before }: RecordChange,
  isDeleted: Emission<T, unknown>['isDeleted'],
): Changed<T> {
  const [now, then] = [record as T | undefined, before as T | undefined]
  const gone = now === undefined || (then !== undefined && isDeleted?.(now) === true && !isDeleted(then))
  return {
    kind: gone ? 'deleted' : then === undefined ? 'created' : 'updated',
    collection,
    id,
    record: (now ?? then) as T,
    before: then,
  }
}
