import { createSandboxKeys } from '../../accounts/sandbox-keys.ts'
import { verticals } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { byName, listOf, named, number, object, optional, text, whole } from '../../contract/manage/schema.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const count = (description: string) => optional(whole(description, { minimum: 0, maximum: 1_000_000 }))
const fault = {
  kind: text('One of `kinds`'),
  method: optional(text('Matches calls with this method', { maxLength: 10 })),
  path: optional(text('Matches calls whose path contains this text', { maxLength: 200 })),
  times: count('Number of calls; forever if absent'),
  skip: count('Number of matching calls to let through first'),
  probability: optional(number('Probability per matching call; 1 if absent', { minimum: 0, maximum: 1 })),
  delayMs: optional(whole('For kinds with a delay', { minimum: 0, maximum: 120_000 })),
}
const switches = named('SandboxFaults', {
  kinds: listOf(object({ kind: text(), explanation: text() })),
  platforms: listOf(
    object({
      platform: text(),
      faults: listOf(object(fault), 'Active faults'),
    }),
  ),
})
interface Control {
  platforms: { platform: string }[]
  faultKinds: Record<string, string>
}

const texts = byName(text())
const keys = named('SandboxKeys', {
  platform: text(),
  vertical: oneOf(verticals, 'Vertical of the simulated business'),
  credentials: texts,
  settings: texts,
})

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
      answer: object({ data: listOf(keys) }),
      handle: async ({ parameters }) => ({ data: await keysOf(parameters.workspaceId as string) }),
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listFaults',
      problems: ['resource_not_found'],
      summary: 'List simulators, their faults, and fault kinds',
      tag,
      answer: switches,
      handle: current,
    }),
    defineRoute({
      method: 'PUT',
      path,
      operationId: 'addFault',
      problems: ['resource_not_found'],
      summary: 'Add a fault to a simulator',
      tag,
      body: object({ platform: text({ pattern: '^[a-z0-9-]{1,64}$' }), ...fault }),
      answer: switches,
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
      answer: switches,
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
