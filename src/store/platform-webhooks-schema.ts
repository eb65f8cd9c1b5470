// The table of webhooks that platforms send. Times are milliseconds.
import { defineTable, number, optional, plain, sealed, type TableRow, text } from './define-table.ts'
import type { HookState, StoredHook } from './platform-webhooks.ts'

export const hooks = defineTable('hooks', ['id'], {
  id: text,
  workspaceId: text,
  platform: text,
  accountId: optional(text),
  url: optional(text),
  secrets: sealed<StoredHook['secrets']>(),
  registration: optional(sealed<NonNullable<StoredHook['registration']>>()),
  challenges: optional(sealed<StoredHook['challenges']>()),
  state: plain<HookState>(),
  error: optional(text),
  failures: number,
  createdAt: number,
  checkedAt: optional(number),
  receivedAt: optional(number),
  refusedAt: optional(number),
})
export interface HookRow extends TableRow<typeof hooks> {
  owner: string // the account, or empty
  fence: number
  holder: string // empty: none
  lease_until: number
  due_at: number
}
export interface HookTables {
  hooks: HookRow
}
