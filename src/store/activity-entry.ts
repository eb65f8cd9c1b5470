// The entry of a request in the activity, and the filters for it.
export type ActivityOutcome = 'ok' | '4xx' | '5xx'
/** One request, or one background task, as it is listed. Its id contains its time. */
export interface Activity {
  workspaceId: string
  requestId: string
  accountId: string // empty if the request has no account
  platform: string
  credentialId: string // of the caller; empty for a background task
  method: string
  entityType: string
  operation: string
  status: number
  errorCode?: string
  totalMs: number
  waitMs: number
  platformMs: number
  nativeCalls: number
  externalId?: string
  nativeId?: string
}
export interface RecordedActivity extends Activity {
  isOwn?: true | undefined // of the dashboard or the management API: only its calls to the platform are in the sums
  throttled: number
  used: number // the largest share of the account's limit that was used
  trace: string // JSON, sealed in the database
}
/** As it comes to the database. The text of a trace is only compressed, so it need not be decoded. */
export type PackedActivity = Omit<RecordedActivity, 'trace'> & { trace: string | Uint8Array }
export interface ActivityFilter {
  accountId?: string
  credentialId?: string
  platform?: string
  entityType?: string
  outcome?: ActivityOutcome | 'error'
  errorCode?: string
  record?: string // its id at either side
  // A request id or its beginning, a record's id at either side, an account id, or a part of an error's text.
  search?: string
  since?: number
  until?: number
  own?: false // without requests of the dashboard and the management API
}
/** Sums of one platform over `step` minutes from `at`. */
export interface ActivitySum extends Summed {
  at: number
  platform: string
}
/** Sums of one account over the day from `at`, in UTC. */
export interface AccountDay extends Summed {
  at: number
}
export interface Summed {
  requests: number
  refused: number
  failed: number
  nativeCalls: number
  throttled: number
  waitMs: number
  waitMaxMs: number
  totalMs: number
  usedMax: number
  waits: number[] // requests by queue time, see wait-buckets.ts
}
