// Webhooks that platforms send: one row per URL. Times are milliseconds of the database's clock. What a holder stores
// has an effect only while it holds the row, by its fence.
import type { EntityType } from '../contract/entity.ts'
import type { Page, PageQuery } from './page.ts'

/**
 * waiting: not registered yet. active: registered. failing: the last attempt to register or check it failed. paused: the
 * account must be reconnected or is disabled. unavailable: the platform sends none for this account or this service.
 */
export type HookState = 'waiting' | 'active' | 'failing' | 'paused' | 'unavailable'

export interface HookSecret {
  secret: string
  until?: number | undefined // absent: the current one
}
export interface HookOwner {
  workspaceId: string
  platform: string
  accountId?: string | undefined // absent: all accounts of the workspace on the platform
}
/** The registration at the platform. */
export interface HookRegistration {
  value: unknown // the connector's own
  entities: EntityType[]
  business?: string | undefined // of the account at that time
}
/** A request of the platform that checks the URL. */
export interface StoredChallenge {
  id: string
  code?: string | undefined // for a person
  secret?: string | undefined // counts once it is confirmed
  request?: { headers: Record<string, string>; body: string } | undefined // base64; to be confirmed with a call
}
export interface StoredHook extends HookOwner {
  id: string // part of the URL
  url?: string | undefined // that is registered
  secrets: HookSecret[] // the newest first
  registration?: HookRegistration | undefined
  challenges: StoredChallenge[] // that wait: some platforms check the URL once for every kind of event
  state: HookState
  error?: string | undefined
  failures: number // in a row
  createdAt: number
  checkedAt?: number | undefined // when it was last registered or found registered
  receivedAt?: number | undefined
  refusedAt?: number | undefined
}
export interface HookFence {
  id: string
  fence: number
}
export interface HeldHook extends StoredHook, HookFence {}
/** Undefined members stay as they are; null clears. */
export interface HookChange {
  url?: string | null
  secrets?: HookSecret[]
  registration?: HookRegistration | null
  state?: HookState
  error?: string | null
  failures?: number
  checked?: true
}

export interface HookStore {
  /** The row of the owner, made with this id and these secrets if there is none. */
  ensure(owner: HookOwner, fresh: Pick<StoredHook, 'id' | 'secrets'>): Promise<StoredHook>
  find(id: string): Promise<StoredHook | undefined>
  get(owner: HookOwner): Promise<StoredHook | undefined>
  list(workspaceId: string, query: PageQuery): Promise<Page<StoredHook>>
  setSecrets(id: string, secrets: readonly HookSecret[]): Promise<StoredHook | undefined>
  /** Due now: a holder confirms the challenge. Another code replaces the one before. */
  challenged(id: string, challenge: StoredChallenge): Promise<void>
  /** The challenge no longer waits. With a secret: it is valid from now on. */
  answered(hook: HookFence, challengeId: string, secret?: string): Promise<boolean>
  /** A webhook was accepted or refused. */
  noted(id: string, what: 'received' | 'refused'): Promise<void>

  /** Rows without a holder that are due. */
  due(limit: number): Promise<string[]>
  take(id: string, holder: string, leaseMs: number): Promise<HeldHook | undefined>
  /** False if the holder has lost the row. */
  renew(hook: HookFence, leaseMs: number): Promise<boolean>
  /** False if the holder has lost the row. */
  change(hook: HookFence, change: HookChange): Promise<boolean>
  release(hook: HookFence, dueInMs: number): Promise<void>
  remove(hook: HookFence): Promise<void>
  /** Makes the row due now. */
  wake(id: string): Promise<void>

  /** Active and watched accounts of these platforms that have no row. */
  unhooked(platforms: readonly string[], limit: number): Promise<string[]>
  /** Workspaces with a watched account of these platforms and no row for all of them. */
  unhookedApplications(platforms: readonly string[], limit: number): Promise<HookOwner[]>
  /** Makes those due that are registered with another base. */
  wakeMoved(base: string): Promise<void>
}
