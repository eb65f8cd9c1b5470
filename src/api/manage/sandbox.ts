import { createSandboxKeys } from '../../accounts/sandbox-keys.ts'
import { Problem } from '../../contract/errors.ts'
import { sandboxFault, sandboxFaults, sandboxKeys } from '../../contract/manage/sandbox.ts'
import { listOf, object, text } from '../../contract/schema.ts'
import { defineRoute, type ManageRoute } from './route.ts'

interface Control {
  platforms: { platform: string }[]
  faultKinds: Record<string, string>
}

export function sandboxRoutes(sandboxUrl: string | undefined): ManageRoute[] {
  const tag = 'Sandbox'
  const path = '/sandbox/faults'
  async function control<T>(method: string, at: string, body?: unknown): Promise<T> {
    if (!sandboxUrl)
      throw new Problem('resource_not_found', 'The sandbox is off in this service. Start the service with SANDBOX=on.')
    const response = await fetch(`${sandboxUrl}/_sandbox${at}`, {
      method,
      signal: AbortSignal.timeout(15_000),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((error: unknown) =>
      Promise.reject(
        new Problem('unavailable', 'The sandbox does not respond. Try again; if that fails, restart the service.', {
          cause: error,
        }),
      ),
    )
    const answer = (await response.json()) as T & { error?: string }
    if (!response.ok)
      throw new Problem(
        response.status === 404 ? 'resource_not_found' : 'validation_failed',
        answer.error ?? 'The sandbox rejected the request.',
      )
    return answer
  }
  async function current() {
    const { platforms, faultKinds } = await control<Control>('GET', '')
    return {
      kinds: Object.entries(faultKinds).map(([kind, explanation]) => ({ kind, explanation })),
      platforms: await Promise.all(
        platforms.map(async ({ platform }) => ({
          platform,
          ...(await control<{ faults: unknown[] }>('GET', `/${platform}/faults`)),
        })),
      ),
    }
  }
  const faultsOf = (platform: string) => `/${encodeURIComponent(platform)}/faults`
  const keysOf = createSandboxKeys(sandboxUrl)
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/sandbox-keys',
      operationId: 'listSandboxKeys',
      scope: 'people',
      role: 'operator',
      summary: 'List keys of the simulated businesses; none outside the workspace of the sandbox',
      tag,
      answer: object({ data: listOf(sandboxKeys) }),
      handle: async ({ parameters }) => ({ data: await keysOf(parameters.workspaceId as string) }),
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listFaults',
      problems: ['resource_not_found'],
      summary: 'List simulators, their faults, and fault kinds',
      tag,
      answer: sandboxFaults,
      handle: current,
    }),
    defineRoute({
      method: 'PUT',
      path,
      operationId: 'addFault',
      problems: ['resource_not_found'],
      summary: 'Add a fault to a simulator',
      tag,
      body: object({ platform: text({ pattern: '^[a-z0-9-]{1,64}$' }), ...sandboxFault }),
      answer: sandboxFaults,
      handle: async ({ body: { platform, ...settings }, started }) => {
        await started()
        await control('POST', faultsOf(platform), settings)
        return current()
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      operationId: 'clearFaults',
      problems: ['resource_not_found'],
      summary: 'Clear faults',
      tag,
      query: { platform: 'Faults of this platform; by default of all platforms' },
      answer: sandboxFaults,
      handle: async ({ query, started }) => {
        const { platforms } = await control<Control>('GET', '')
        const names = query.platform === undefined ? platforms.map(({ platform }) => platform) : [query.platform]
        await started()
        for (const platform of names) await control('DELETE', faultsOf(platform))
        return current()
      },
    }),
  ]
}
