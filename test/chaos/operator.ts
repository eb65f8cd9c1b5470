// Reconnects an account whose authorization the platform no longer accepts, as an operator does. After the lost
// response of a single-use refresh token there is no other way.
import type { Instances } from './instances.ts'
import type { SandboxProcess } from './sandbox-process.ts'

export interface Operator {
  reconnect(accountId: string): Promise<void>
  reconnected(): number
}

export function createOperator(instances: Instances, sandbox: SandboxProcess): Operator {
  const underWay = new Map<string, Promise<void>>()
  let reconnected = 0

  async function manage(method: string, path: string, body?: unknown): Promise<{ state?: string } | undefined> {
    for (let index = 0; index < instances.count; index++) {
      try {
        const response = await fetch(`${instances.url(index)}/manage/v1/workspaces/sandbox${path}`, {
          method,
          headers: {
            authorization: `Bearer ${instances.adminToken}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: JSON.stringify(body),
        })
        if (response.ok) return (await response.json()) as { state?: string }
      } catch {
        // killed at this moment: the next one, or the next time
      }
    }
    return undefined
  }
  async function attend(accountId: string): Promise<void> {
    const account = await manage('GET', `/accounts/${accountId}`)
    if (account?.state !== 'reconnect_required') return
    const tenant = (await sandbox.tenants()).find(
      ({ platform, vertical }) => `sandbox-${platform}-${vertical}` === accountId,
    )
    if (await manage('POST', `/accounts/${accountId}/reconnect`, { credentials: tenant?.credentials })) reconnected++
  }
  return {
    reconnect(accountId) {
      const pending = underWay.get(accountId) ?? attend(accountId).finally(() => underWay.delete(accountId))
      underWay.set(accountId, pending)
      return pending
    },
    reconnected: () => reconnected,
  }
}
