// The OAuth `state` parameter: encrypted, and valid for one attempt of one link.
import type { Vault } from '../store/vault.ts'

export interface OAuthState {
  workspaceId: string
  linkId: string
  attemptId: string
  token: string // of the link; the store has only its hash
}
const associatedData = 'connect state'
const lifetimeMs = 30 * 60_000

export const sealState = (vault: Vault, { workspaceId, linkId, attemptId, token }: OAuthState): string =>
  vault.seal(JSON.stringify([workspaceId, linkId, attemptId, token, Date.now() + lifetimeMs]), associatedData)

/** Undefined if it is invalid or expired. */
export function openState(vault: Vault, sealed: string): OAuthState | undefined {
  if (sealed.length > 2000) return undefined
  try {
    const [workspaceId, linkId, attemptId, token, until] = JSON.parse(vault.open(sealed, associatedData)) as [
      string,
      string,
      string,
      string,
      number,
    ]
    return until > Date.now() ? { workspaceId, linkId, attemptId, token } : undefined
  } catch {
    return undefined
  }
}
