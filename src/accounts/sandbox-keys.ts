// Keys of the simulated businesses, for the forms in the workspace whose accounts are at the simulators.
import type { Vertical } from '../contract/entity.ts'

export const sandboxWorkspace = 'sandbox'

export interface SandboxKeys {
  platform: string
  vertical: Vertical
  credentials: Record<string, string>
  settings: Record<string, string>
}
export type SandboxKeysOf = (workspaceId: string) => Promise<SandboxKeys[]>

/** None in other workspaces, and without a sandbox. */
export function createSandboxKeys(sandboxUrl: string | undefined): SandboxKeysOf {
  return async (workspaceId) => {
    if (sandboxUrl === undefined || workspaceId !== sandboxWorkspace) return []
    const response = await fetch(`${sandboxUrl}/_sandbox/accounts`, { signal: AbortSignal.timeout(15_000) })
    const { accounts } = (await response.json()) as { accounts: SandboxKeys[] }
    return accounts.map(({ platform, vertical, credentials, settings }) => ({
      platform,
      vertical,
      credentials,
      settings,
    }))
  }
}
