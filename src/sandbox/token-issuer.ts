// Issues access tokens, refresh tokens and authorization codes, and tracks which of them are valid.
import { createHash, randomBytes } from 'node:crypto'
import type { Collection, State } from './collection.ts'

export type RefreshStyle =
  | { style: 'reusable' } // a refresh returns the same refresh token
  | { style: 'rotates'; graceSeconds: number } // each refresh returns a new token; the previous one works until the grace period ends
  | { style: 'single_use' } // each refresh returns a new token and invalidates the previous one
export interface TokenIssuerOptions {
  state: State
  now(): number
  accessSeconds: number
  refresh: RefreshStyle
  codeSeconds?: number // lifetime of an authorization code, 300 by default
  mint?(kind: 'access' | 'refresh' | 'code'): string // generates a token in the platform's format
}
export interface Issued {
  accessToken: string
  refreshToken: string
  expiresAt: number // milliseconds
  scopes: readonly string[]
}
export interface Holder {
  tenant: string
  status: 'active' | 'expired' | 'revoked'
  expiresAt: number
  scopes: readonly string[]
}
export interface Consent {
  tenant: string
  scopes?: readonly string[]
  redirectUri?: string
  codeChallenge?: string // PKCE, S256
}
export interface TokenIssuer {
  issue(tenant: string, scopes?: readonly string[], tokens?: { accessToken: string; refreshToken: string }): Issued
  lookup(accessToken: string | undefined): Holder | undefined
  refresh(refreshToken: string | undefined): (Issued & { tenant: string }) | undefined
  // client_credentials: counted separately; the platform does not return the refresh token.
  login(tenant: string, scopes?: readonly string[]): Issued
  authorize(consent: Consent): string // returns an authorization code
  redeem(
    code: string | undefined,
    proof: { redirectUri?: string; codeVerifier?: string },
  ): (Issued & { tenant: string }) | undefined
  current(tenant: string): Issued | undefined // the newest tokens, for Tenant.credentials
  expire(tenant: string): void
  revoke(tenant: string): void
  refreshes(tenant?: string): number // number of successful refreshes
  logins(tenant?: string): number
}

interface AccessRow {
  tenant: string
  expiresAt: number
  scopes: readonly string[]
  revoked?: boolean
}
interface RefreshRow {
  tenant: string
  scopes: readonly string[]
  goodUntil?: number // set when the token is replaced
  revoked?: boolean
}
interface CodeRow extends Consent {
  expiresAt: number
}

export function createTokenIssuer({
  state,
  now,
  accessSeconds,
  refresh: style,
  codeSeconds = 300,
  mint = () => randomBytes(24).toString('base64url'),
}: TokenIssuerOptions): TokenIssuer {
  const access = state.collection<AccessRow>('tokens/access')
  const refreshing = state.collection<RefreshRow>('tokens/refresh')
  const codes = state.collection<CodeRow>('tokens/codes')
  const newest = state.collection<Issued>('tokens/newest')
  const counts = { refreshes: new Map<string, number>(), logins: new Map<string, number>() }
  const count = (of: Map<string, number>, tenant: string) => void of.set(tenant, (of.get(tenant) ?? 0) + 1)
  const total = (of: Map<string, number>, tenant?: string) =>
    tenant === undefined ? [...of.values()].reduce((sum, n) => sum + n, 0) : (of.get(tenant) ?? 0)

  const issue: TokenIssuer['issue'] = (tenant, scopes = [], tokens) => {
    const issued: Issued = {
      accessToken: tokens?.accessToken ?? mint('access'),
      refreshToken: tokens?.refreshToken ?? mint('refresh'),
      expiresAt: now() + accessSeconds * 1000,
      scopes: [...scopes],
    }
    access.set(issued.accessToken, { tenant, expiresAt: issued.expiresAt, scopes: issued.scopes })
    if (!refreshing.has(issued.refreshToken)) refreshing.set(issued.refreshToken, { tenant, scopes: issued.scopes })
    return newest.set(tenant, issued)
  }
  return {
    issue,
    lookup(accessToken) {
      const row = accessToken ? access.get(accessToken) : undefined
      if (!row) return undefined
      return {
        tenant: row.tenant,
        status: row.revoked ? 'revoked' : row.expiresAt <= now() ? 'expired' : 'active',
        expiresAt: row.expiresAt,
        scopes: row.scopes,
      }
    },
    refresh(refreshToken) {
      const row = refreshToken ? refreshing.get(refreshToken) : undefined
      if (!refreshToken || !row || row.revoked || (row.goodUntil !== undefined && row.goodUntil <= now()))
        return undefined
      count(counts.refreshes, row.tenant)
      if (style.style === 'reusable')
        return { tenant: row.tenant, ...issue(row.tenant, row.scopes, { accessToken: mint('access'), refreshToken }) }
      const graceMs = style.style === 'rotates' ? style.graceSeconds * 1000 : 0
      refreshing.set(refreshToken, { ...row, goodUntil: row.goodUntil ?? now() + graceMs })
      return { tenant: row.tenant, ...issue(row.tenant, row.scopes) }
    },
    login(tenant, scopes) {
      count(counts.logins, tenant)
      return issue(tenant, scopes)
    },
    authorize(consent) {
      const code = mint('code')
      codes.set(code, { ...consent, expiresAt: now() + codeSeconds * 1000 })
      return code
    },
    redeem(code, { redirectUri, codeVerifier }) {
      const row = code ? codes.get(code) : undefined
      if (!code || !row) return undefined
      codes.delete(code) // a failed attempt uses up the code too
      const proven =
        row.codeChallenge === undefined ||
        (codeVerifier !== undefined && challengeOf(codeVerifier) === row.codeChallenge)
      if (row.expiresAt <= now() || !proven || (row.redirectUri !== undefined && row.redirectUri !== redirectUri))
        return undefined
      return { tenant: row.tenant, ...issue(row.tenant, row.scopes) }
    },
    current: (tenant) => newest.get(tenant),
    expire(tenant) {
      for (const id of access.ids()) {
        const row = access.get(id)!
        if (row.tenant === tenant && row.expiresAt > now()) access.set(id, { ...row, expiresAt: now() })
      }
    },
    revoke(tenant) {
      revokeAll(access, tenant)
      revokeAll(refreshing, tenant)
    },
    refreshes: (tenant) => total(counts.refreshes, tenant),
    logins: (tenant) => total(counts.logins, tenant),
  }
}

function revokeAll<Row extends { tenant: string; revoked?: boolean }>(rows: Collection<Row>, tenant: string): void {
  for (const id of rows.ids()) {
    const row = rows.get(id)!
    if (row.tenant === tenant) rows.set(id, { ...row, revoked: true })
  }
}

export const challengeOf = (codeVerifier: string): string =>
  createHash('sha256').update(codeVerifier).digest('base64url')
