// Who writes activity, and the text that it is handed over as.
import type { RecordedActivity, Store } from './store.ts'

export interface ActivityWriter extends Pick<Store['activity'], 'prune'> {
  /** Packed: what waits to be written is text, which the garbage collector has little to do with. */
  write(entries: readonly string[]): Promise<void>
  close(): Promise<void>
}
/** The way stays as it is, in a line of its own: it is only ever read again by people. */
export const packEntry = (entry: RecordedActivity): string => `${JSON.stringify({ ...entry, way: undefined })}\n${entry.way}`
export function unpackEntry(text: string): RecordedActivity {
  const end = text.indexOf('\n')
  const entry = JSON.parse(text.slice(0, end)) as RecordedActivity
  entry.way = text.slice(end + 1)
  return entry
}

/** Writes where it is called, for processes without a thread. */
export const writeHere = ({ record, prune }: Store['activity']): ActivityWriter => ({
  write: (entries) => record(entries.map(unpackEntry)),
  prune,
  close: async () => {},
})
