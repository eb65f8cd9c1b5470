// One of the two accounts: what a migration asks of it, and no more. The command line asks through the client, the
// service through its engine.
import type { EntityType } from '../contract/entity.ts'
import type { Warning } from './compare.ts'
import type { Check } from './fit.ts'
import type { Place } from './route.ts'
import type { SourceRecord } from './shape.ts'

export interface SourcePage {
  records: SourceRecord[]
  unreadable: { id: string; message: string }[]
  refunds: { id: string; message: string }[] // not orders, so they are not written
}
export interface Written {
  id: string
  replayed: boolean
  warnings: readonly Warning[]
}
export interface Side {
  place: Place
  /** All records; one that came already may come again. */
  pages(entity: EntityType, updatedAfter?: string): AsyncGenerator<SourcePage, void, undefined>
  get(entity: EntityType, id: string): Promise<SourceRecord | undefined>
  check(entity: EntityType, body: SourceRecord): Promise<Check>
  /** Names of the steps that a write would take, as far as they are known. */
  steps(entity: EntityType, body: SourceRecord): Promise<string[]>
  create(entity: EntityType, body: SourceRecord, onUnknown?: 'resend'): Promise<Written>
  update(entity: EntityType, id: string, body: SourceRecord): Promise<Written>
}
