// The table of webhooks that platforms send, for Kysely. Times are milliseconds.
import type { HookState } from './platform-webhooks.ts'

export interface HookRow {
  id: string
  workspace_id: string
  platform: string
  owner: string // the account, or empty
  account_id: string | null
  url: string | null
  secrets: string // sealed JSON
  registration: string | null // sealed JSON
  challenges: string | null // sealed JSON
  state: HookState
  error: string | null
  failures: number
  created_at: number
  checked_at: number | null
  received_at: number | null
  refused_at: number | null
  fence: number
  holder: string // empty: none
  lease_until: number
  due_at: number
}
export interface HookTables {
  hooks: HookRow
}
