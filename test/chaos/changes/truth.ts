// What happened at the simulators, with its times, and what a reader of the change feed must have of it.
import type { EntityType, Vertical } from '../../../src/contract/entity.ts'
import type { NativeChange, NativeChanged, NativePlace, SandboxProcess } from '../sandbox-process.ts'

export const violationKinds = [
  'missed', // the final state of a record is not the one of the platform
  'false delete', // of a record that existed
  'older after newer',
  'incomplete', // completeUntil is later than a change that was not reported
  'moved back', // completeUntil
  'cursor lost',
  'replayed differently', // a cursor that was read again gives other changes
  'foreign write', // a change has the origin "write", and no caller wrote the record
  'stuck', // the feed does not become complete
] as const
export type FeedViolationKind = (typeof violationKinds)[number]
export interface FeedViolation {
  kind: FeedViolationKind
  site: string
  detail: string
}
export interface FeedPlace {
  platform: string
  vertical: Vertical
  entityType: EntityType
  accountId: string
  polls: boolean
  hasHorizon: boolean
}
export const placeName = ({ platform, vertical, entityType }: Omit<FeedPlace, 'accountId' | 'polls' | 'hasHorizon'>) =>
  `${platform} ${vertical} ${entityType}`

export interface Life {
  born: number // 0: before the run
  last: number // when it last changed
  gone?: number // not before this time
}
/** A change at the platform, made between these times. */
export interface Happened {
  kind: 'created' | 'touched' | 'removed'
  id: string
  from: number
  to: number
}
/** How far a simulator's stamps may be ahead of its clock: each is later than the one before. */
const aheadMs = 20

export interface Truth {
  place: FeedPlace
  removes: boolean
  lives: ReadonlyMap<string, Life>
  locked: Set<string> // records that must not change now
  written: Set<string> // records that callers wrote
  /** A change through the API. */
  wrote(kind: 'created' | 'touched', id: string, from: number, to: number): void
  change(operation: NativeChange['operation'], id?: string): Promise<NativeChanged | null>
  /** The changes before that time, each once. */
  before(list: 'modified' | 'all', until: number): Happened[]
}

export function createTruth(place: FeedPlace, native: NativePlace, sandbox: Pick<SandboxProcess, 'change'>): Truth {
  const lives = new Map(native.ids.map((id): [string, Life] => [id, { born: 0, last: 0 }]))
  const waiting: Record<'modified' | 'all', Happened[]> = { modified: [], all: [] }
  const note = (happened: Happened) => {
    waiting.all.push(happened)
    if (happened.kind !== 'removed') waiting.modified.push(happened)
  }
  const { platform, vertical, entityType } = place
  return {
    place,
    removes: native.removes,
    lives,
    locked: new Set(),
    written: new Set(),
    wrote(kind, id, from, to) {
      const life = lives.get(id) ?? { born: from, last: to }
      lives.set(id, { ...life, last: to })
      note({ kind, id, from, to })
    },
    async change(operation, id) {
      const changed = await sandbox.change({ platform, vertical, entityType, operation, ...(id ? { id } : {}) })
      if (!changed) return null
      const { from, to, appeared, gone } = changed
      for (const one of appeared) {
        lives.set(one, { born: from, last: to })
        note({ kind: 'created', id: one, from, to })
      }
      for (const one of gone) {
        lives.set(one, { ...(lives.get(one) ?? { born: 0 }), last: to, gone: from })
        note({ kind: 'removed', id: one, from, to })
      }
      const life = id === undefined ? undefined : lives.get(id)
      if (operation === 'touch' && id !== undefined && life && life.gone === undefined) {
        lives.set(id, { ...life, last: to })
        note({ kind: 'touched', id, from, to })
      }
      return changed
    },
    before(list, until) {
      const past = waiting[list].filter(({ to }) => to + aheadMs < until)
      waiting[list] = waiting[list].filter(({ to }) => to + aheadMs >= until)
      return past
    },
  }
}

/** Existing records, those that must not change now excepted. */
export const aliveIn = ({ lives, locked }: Truth): string[] =>
  [...lives].filter(([id, { gone }]) => gone === undefined && !locked.has(id)).map(([id]) => id)
