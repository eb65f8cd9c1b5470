// A renewal that fails says nothing about the authorization: the token server is busy, or something in front of it
// answered. The account keeps its tokens, the same refresh token is sent again after growing pauses, and only the
// platform's own word ends the authorization.
import { Problem } from '../../contract/errors.ts'
import type { Account } from '../../store/store.ts'

export interface RenewalFailing {
  since: string
  retryAt: string
  failures: number
}
/** Credentials with these names are not the platform's. */
const names = { since: 'renewalFailingSince', retryAt: 'renewalRetryAt', failures: 'renewalFailures' } as const

export function failingOf({ credentials }: Pick<Account, 'credentials'>): RenewalFailing | undefined {
  const [since, retryAt] = [credentials[names.since], credentials[names.retryAt]]
  return since && retryAt ? { since, retryAt, failures: Number(credentials[names.failures]) || 1 } : undefined
}
/** The credentials without a trace of failures, as after a renewal. `refreshSent` is from earlier versions. */
export function withoutFailures(credentials: Account['credentials']): Record<string, string> {
  const {
    [names.since]: _,
    [names.retryAt]: __,
    [names.failures]: ___,
    refreshSent: ____,
    ...kept
  } = credentials as Record<string, string>
  return kept
}
const firstPauseMs = 1_000
const longestPauseMs = 300_000
/** The longest pause that a platform can ask for. */
const longestAskedMs = 3_600_000

/** The credentials after one more failure. `askedMs`: the pause that the platform asks for. */
export function withFailure(
  account: Pick<Account, 'credentials'>,
  { askedMs = 0, paceScale }: { askedMs?: number | undefined; paceScale: number },
): Record<string, string> {
  const before = failingOf(account)
  const failures = (before?.failures ?? 0) + 1
  const ownMs = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), longestPauseMs) * paceScale
  const pauseMs = Math.max(ownMs, Math.min(askedMs, longestAskedMs))
  return {
    ...withoutFailures(account.credentials),
    [names.since]: before?.since ?? new Date().toISOString(),
    [names.retryAt]: new Date(Date.now() + pauseMs).toISOString(),
    [names.failures]: String(failures),
  }
}
export const mustWait = (account: Pick<Account, 'credentials'>): boolean => {
  const failing = failingOf(account)
  return failing !== undefined && Date.parse(failing.retryAt) > Date.now()
}
/** The token is close to its end, and still accepted. */
export const isUsable = ({ credentials: { accessToken, expiresAt } }: Pick<Account, 'credentials'>): boolean =>
  Boolean(accessToken) && expiresAt !== undefined && Date.parse(expiresAt) > Date.now()

export const failingWords = ({ since, retryAt }: RenewalFailing): string =>
  `Renewal is failing since ${since}, and is tried again at ${retryAt}. The account does not need to be connected again.`
/** The error of a call that finds no usable token between two tries. */
export function waitingProblem(account: Pick<Account, 'credentials' | 'platform'>, platformName: string): Problem {
  const failing = failingOf(account) as RenewalFailing
  const seconds = Math.max(1, Math.ceil((Date.parse(failing.retryAt) - Date.now()) / 1000))
  return new Problem(
    'downstream_error',
    `${platformName} does not renew the token of this account. ${failingWords(failing)}`,
    {
      headers: { 'retry-after': String(seconds) },
      downstream: { platform: account.platform },
    },
  )
}
