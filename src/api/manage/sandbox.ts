// Faults and keys of the simulators, from the sandbox's control endpoint. Not available without a sandbox.
import { Type } from 'typebox'
import { createSandboxKeys } from '../../accounts/sandbox-keys.ts'
import { verticals } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description }))
const fault = {
  kind: Type.String({ description: 'One of `kinds`' }),
  method: Type.Optional(Type.String({ maxLength: 10, description: 'Matches calls with this method' })),
  path: Type.Optional(Type.String({ maxLength: 200, description: 'Matches calls whose path contains this text' })),
  times: count('Number of calls; forever if absent'),
  skip: count('Number of matching calls to let through first'),
  probability: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Probability per matching call; 1 if absent' }),
  ),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000, description: 'For kinds with a delay' })),
}
const switches = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({ kind: Type.String(), explanation: Type.String() }, { additionalProperties: false }),
    ),
    platforms: Type.Array(
      Type.Object(
        {
          platform: Type.String(),
          faults: Type.Array(Type.Object(fault, { additionalProperties: false }), { description: 'Active faults' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'SandboxFaults', additionalProperties: false },
)
interface Control {
  platforms: { platform: string }[]
  faultKinds: Record<string, string>
}

const texts = Type.Record(Type.String(), Type.String())
const keys = Type.Object(
  {
    platform: Type.String(),
    vertical: oneOf(verticals, 'Vertical of the simulated business'),
    credentials: texts,
    settings: texts,
  },
  { title: 'SandboxKeys', additionalProperties: false },
)

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
      answer: Type.Object({ data: Type.Array(keys) }, { additionalProperties: false }),
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
      body: Type.Object(
        { platform: Type.String({ pattern: '^[a-z0-9-]{1,64}$' }), ...fault },
        { additionalProperties: false },
      ),
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
