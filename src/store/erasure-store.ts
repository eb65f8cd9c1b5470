// The erasure of one person from what is stored of an account.
import type { EntityType } from '../contract/entity.ts'
import type { EntryKey, WriteState } from './journal-entry.ts'
import type { Page, PageQuery } from './page.ts'

/** In the order in which they are searched. */
export const erasurePlaces = [
  'writes',
  'changes',
  'hints',
  'deliveries',
  'activity',
  'migrationReports',
  'migrationRecords',
] as const
export type ErasurePlace = (typeof erasurePlaces)[number]

/** checking: everything was searched once, and is searched again for what was under way at that time. */
export type ErasureState = 'running' | 'checking' | 'done'
export interface ErasureKey {
  accountId: string
  id: string
}
export interface Erasure extends ErasureKey {
  entityType: EntityType
  isPlan: boolean // counts, changes nothing
  state: ErasureState
  found: Record<ErasurePlace, number> // entries whose content was removed, or would be
  openWrites: number // of a plan: writes that an erasure would have to wait for
  unsettled: number // creates of such people that were open, and have no platform id
  createdBy: string
  createdAt: string
  endedAt?: string | undefined
}
export interface PersonKey {
  accountId: string
  entityType: EntityType
  nativeId: string
}
export interface OpenWritesOfPerson {
  about: (EntryKey & { state: WriteState })[]
  unsettled: number
}

export interface ErasureStore {
  /** Unless it is a plan, the change log keeps no content of the person from now on. */
  create(
    erasure: PersonKey & Pick<Erasure, 'id' | 'isPlan' | 'openWrites' | 'unsettled' | 'createdBy'>,
  ): Promise<Erasure>
  get(key: ErasureKey): Promise<Erasure | undefined>
  list(accountId: string, query: PageQuery): Promise<Page<Erasure>> // newest first
  /** The change log keeps content of the person again, unless another erasure names the same one. */
  delete(key: ErasureKey): Promise<'deleted' | 'missing' | 'open'>
  /** Those that are due. */
  due(limit: number): Promise<ErasureKey[]>
  /** Those that are open, or ended within the last hour: for memory that instances have. */
  recent(): Promise<Pick<Erasure, 'accountId' | 'id' | 'state'>[]>
  /**
   * `about`: writes of the person that are not done. `unsettled`: the number of open creates of such people without a
   * platform id, so that it is not known whose they are.
   */
  openWrites(person: PersonKey): Promise<OpenWritesOfPerson>
  /** The platform id, if the given one is only a caller's id that is linked to it. */
  linkedTo(person: PersonKey): Promise<string | undefined>
  /** Whether a migration from or to the account is planning or running. */
  isMigrating(accountId: string): Promise<boolean>
  /**
   * Searches the next batch, and removes what it finds, in one transaction with the position behind it. The second
   * search begins after `secondPassMs`. Returns when the next step is due, undefined at the end.
   */
  step(key: ErasureKey, secondPassMs: number): Promise<number | undefined>
}
