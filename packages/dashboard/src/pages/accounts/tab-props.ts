import type { Account } from '../../types.ts'

export interface TabProps {
  account: Account
  put(account: Account): void
}
