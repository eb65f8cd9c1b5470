import { State } from '../../components/state.tsx'
import { count, manyOf } from '../../format.ts'
import { type EntityType, entityTypes, isReadOnly, type ListedMigration } from '../../types.ts'

/** Those that a migration can copy. */
export const movable: readonly EntityType[] = entityTypes.filter((entity) => !isReadOnly(entity))
export const titleOf = (entity: string): string => {
  const many = manyOf(entity)
  return many.charAt(0).toUpperCase() + many.slice(1)
}
export const isUnderWay = ({ state }: Pick<ListedMigration, 'state'>): boolean =>
  state === 'planning' || state === 'running'

export function MigrationState({ of: { state, progress } }: { of: Pick<ListedMigration, 'state' | 'progress'> }) {
  if (state === 'planning') return <State tone="waiting">Planning</State>
  if (state === 'planned') return <State tone="info">Ready to run</State>
  if (state === 'running') return <State tone="waiting">Running</State>
  if (state === 'stopped') return <State tone="idle">Stopped</State>
  if (state === 'failed') return <State tone="broken">Failed</State>
  return progress.complete ? <State tone="ok">Complete</State> : <State tone="attention">Needs review</State>
}

const whats: Record<string, string> = {
  unexplained: 'Unexplained',
  not_stored: 'Not stored',
  derived: 'Held differently',
  state_rule: 'State rule',
  requirement: 'Requirement',
  reference: 'Reference not carried over',
  location: 'Location',
  flavor: 'No such field',
  default: 'Default used',
  added: 'Filled in',
  left_out: 'Left out',
  refused: 'Refused in a dry run',
  unreadable: 'Unreadable',
}
const loud: Record<string, 'attention' | 'broken'> = {
  left_out: 'attention',
  refused: 'broken',
  unreadable: 'broken',
  unexplained: 'broken',
}
/** Why a field or a record is not the same. */
export function What({ kind }: { kind: string }) {
  const tone = loud[kind]
  const text = whats[kind] ?? kind
  return tone ? <State tone={tone}>{text}</State> : text
}

/** `18 s`, `12 min`, `1 h 5 min`. */
export function roughly(seconds: number): string {
  if (seconds < 90) return `${count(Math.ceil(seconds))} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`
}
