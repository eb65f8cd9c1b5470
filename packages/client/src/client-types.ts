// The type of the client itself.
import type { PlatformSupport } from './generated/records.ts'
import type { ManageClient } from './manage.ts'
import type { AccountClient, AccountOptions, CallOptions, Vertical, VerticalAccountClient } from './types.ts'

export interface Client {
  account(id: string, options?: AccountOptions): AccountClient
  /** `account<'restaurant'>(id)` has exactly what that vertical has. Check `describe().vertical` if you do not know it. */
  account<V extends Vertical>(id: string, options?: AccountOptions): VerticalAccountClient<V>
  /** The workspace of the credential: accounts, connect links, watches and webhook endpoints. */
  readonly manage: ManageClient
  /** The support matrix, with the rate limits of every platform. */
  platforms(options?: Pick<CallOptions, 'signal'>): Promise<PlatformSupport[]>
}
