// What a watch is doing, as one state. The most urgent one counts.
import type { Watch } from '../../types.ts'

type WatchKind =
  | 'off'
  | 'not_covered'
  | 'paused'
  | 'failing'
  | 'starved'
  | 'first_walk'
  | 'walk_due'
  | 'walking'
  | 'ready'

export function kindOf({ watched, setBy, status }: Watch): WatchKind {
  // A default that applies to the account and is not followed: its authorization does not cover the entity.
  if (!watched) return setBy === 'workspace' ? 'not_covered' : 'off'
  if (status?.paused) return 'paused'
  if (status?.lastError) return 'failing'
  if (status?.starvedSince) return 'starved'
  if (status?.phase !== 'ready') return 'first_walk'
  if (status.walk) return 'walking'
  return Date.parse(status.nextWalkAt ?? '') > Date.now() ? 'ready' : 'walk_due'
}

export const stateWords = {
  off: { tone: 'idle', label: 'Not watched' },
  not_covered: { tone: 'attention', label: 'Not authorized' },
  paused: { tone: 'idle', label: 'Paused' },
  failing: { tone: 'broken', label: 'Failing' },
  starved: { tone: 'waiting', label: 'Waiting for a slot' },
  first_walk: { tone: 'waiting', label: 'First walk' },
  walk_due: { tone: 'ok', label: 'Ready' },
  walking: { tone: 'ok', label: 'Ready' },
  ready: { tone: 'ok', label: 'Ready' },
} as const satisfies Record<WatchKind, { tone: string; label: string }>

/** Its figures change within seconds. */
export const isMoving = (watch: Watch): boolean =>
  ['failing', 'first_walk', 'walk_due', 'walking'].includes(kindOf(watch))
