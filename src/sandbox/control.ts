// The control endpoint `/_sandbox`: faults, calls, tokens and records of every simulator. See README.md.
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { isFaultKind } from './faults.ts'
import { Refusal, readJson } from './http.ts'
import { createRouter, type Router, type Routes } from './router.ts'
import {
  type Fault,
  faultKinds,
  type LoggedCall,
  type NativeRecords,
  type Simulator,
  type Tenant,
  type WireResponse,
} from './simulator.ts'
import type { SentWebhook } from './webhooks.ts'

export interface Controlled {
  platforms: readonly string[]
  origin(platform: string): string
  simulator(platform: string): Simulator
  fault(platform: string, fault: Fault): void
  faults(platform: string): Fault[]
  clearFaults(platform?: string): void // of all platforms by default
  calls(platform: string): LoggedCall[] // oldest first, the last 5000
  webhooks(platform: string): SentWebhook[] // every attempt, oldest first, the last 5000
  clearCalls(platform?: string): void // and webhooks, and the count of violations
  violations(platform: string): number
}

const problem = (status: number, detail: string): WireResponse => ({ status, body: { error: detail } })

export function createControl(sandbox: () => Controlled): Router<undefined> {
  const simulatorOf = (platform = ''): Simulator => {
    if (!sandbox().platforms.includes(platform))
      throw new Refusal(problem(404, `no platform "${platform}"; there are: ${sandbox().platforms.join(', ')}`))
    return sandbox().simulator(platform)
  }
  const tenantOf = ({ platform, vertical }: Readonly<Record<string, string>>): Tenant => {
    const tenant = simulatorOf(platform).tenants.find((one) => one.vertical === vertical)
    if (!tenant) throw new Refusal(problem(404, `${platform} has no tenant "${vertical}"`))
    return tenant
  }
  const recordsOf = (params: Readonly<Record<string, string>>): NativeRecords => {
    const records = entityTypes.includes(params.entity as EntityType)
      ? tenantOf(params).records[params.entity as EntityType]
      : undefined
    if (!records) throw new Refusal(problem(404, `the tenant has no records of "${params.entity}"`))
    return records
  }
  const faults = (platform: string): WireResponse => ({ status: 200, body: { faults: sandbox().faults(platform) } })

  const routes: Routes<undefined> = {
    'GET /_sandbox': () => ({
      status: 200,
      body: { platforms: sandbox().platforms.map((platform) => describe(platform, sandbox())), faultKinds },
    }),
    'GET /_sandbox/accounts': () => ({ status: 200, body: { accounts: accountsOf(sandbox()) } }),
    'GET /_sandbox/:platform/faults': ({ params }) => faults(simulatorOf(params.platform).platform),
    'POST /_sandbox/:platform/faults': ({ request, params }) => {
      const { platform } = simulatorOf(params.platform)
      sandbox().fault(platform, readFault(readJson(request)))
      return faults(platform)
    },
    'DELETE /_sandbox/:platform/faults': ({ params }) => {
      const { platform } = simulatorOf(params.platform)
      sandbox().clearFaults(platform)
      return faults(platform)
    },
    'GET /_sandbox/:platform/calls': ({ params }) => {
      const { platform } = simulatorOf(params.platform)
      return { status: 200, body: { violations: sandbox().violations(platform), calls: sandbox().calls(platform) } }
    },
    'GET /_sandbox/:platform/webhooks': ({ params }) => ({
      status: 200,
      body: { webhooks: sandbox().webhooks(simulatorOf(params.platform).platform) },
    }),
    'POST /_sandbox/:platform/webhooks': ({ request, params }) => {
      const simulator = simulatorOf(params.platform)
      const { url, vertical, secret, code } = (readJson(request) ?? {}) as Record<string, string | undefined>
      if (typeof code === 'string' && simulator.enterCode)
        return simulator.enterCode(code) ? { status: 204 } : problem(400, 'the code is not the one that was sent')
      if (!simulator.enterWebhook)
        return problem(400, 'webhooks of this platform are registered by its API, not in its console')
      if (typeof url !== 'string' || !URL.canParse(url)) return problem(400, 'url must be an absolute URL')
      if (vertical !== undefined) tenantOf({ platform: simulator.platform, vertical })
      const entered = simulator.enterWebhook(url, {
        ...(vertical ? { vertical: vertical as Tenant['vertical'] } : {}),
        ...(secret ? { secret } : {}),
      })
      return { status: 201, body: entered }
    },
    'DELETE /_sandbox/:platform/calls': ({ params }) => {
      sandbox().clearCalls(simulatorOf(params.platform).platform)
      return { status: 204 }
    },
    'POST /_sandbox/:platform/tenants/:vertical/expire-tokens': ({ params }) => {
      tenantOf(params).expireTokens()
      return { status: 204 }
    },
    'POST /_sandbox/:platform/tenants/:vertical/revoke-tokens': ({ params }) => {
      tenantOf(params).revokeTokens()
      return { status: 204 }
    },
    'GET /_sandbox/:platform/tenants/:vertical/:entity': ({ params }) => {
      const ids = recordsOf(params).ids()
      return { status: 200, body: { count: ids.length, ids } }
    },
    'POST /_sandbox/:platform/tenants/:vertical/:entity': ({ request, params }) => {
      const records = recordsOf(params)
      const { searchParams } = new URL(`http://sandbox/?${request.query}`)
      if (searchParams.has('add'))
        return { status: 201, body: { ids: records.add(readCount(searchParams.get('add'))) } }
      const id = searchParams.get('touch') ?? searchParams.get('remove')
      if (!id || !records.ids().includes(id)) return problem(400, 'say ?add=COUNT, ?touch=ID or ?remove=ID')
      if (searchParams.has('touch')) records.touch(id)
      else if (records.remove) records.remove(id)
      else return problem(400, 'the platform does not delete these')
      return { status: 200, body: { ids: [id] } }
    },
  }
  return createRouter(routes, {
    notFound: () => problem(404, 'see GET /_sandbox'),
    methodNotAllowed: (_, allowed) => ({
      ...problem(405, `allowed: ${allowed.join(', ')}`),
      headers: { allow: allowed.join(', ') },
    }),
  })
}

/** What the service needs to connect an account per tenant. The credentials work only with the simulators. */
export const accountsOf = ({ platforms, simulator }: Pick<Controlled, 'platforms' | 'simulator'>) =>
  platforms.flatMap((platform) =>
    simulator(platform).tenants.map(({ vertical, credentials, settings, locations }) => ({
      platform,
      vertical,
      credentials: { ...credentials },
      settings,
      locations,
    })),
  )

function describe(platform: string, sandbox: Controlled) {
  const { limit, concurrency, tenants } = sandbox.simulator(platform)
  return {
    platform,
    origin: sandbox.origin(platform),
    limit,
    concurrency,
    tenants: tenants.map(({ vertical, settings, locations, records }) => ({
      vertical,
      settings,
      locations,
      records: Object.fromEntries(Object.entries(records).map(([entity, { ids }]) => [entity, ids().length])),
    })),
  }
}

function readCount(text: string | null): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new Refusal(problem(400, 'add must be a number from 1 to 10000'))
  return count
}

const fields: Readonly<Record<keyof Fault, 'string' | 'number' | 'boolean' | 'any'>> = {
  kind: 'string',
  method: 'string',
  path: 'string',
  times: 'number',
  skip: 'number',
  repeats: 'boolean',
  probability: 'number',
  delayMs: 'number',
  status: 'number',
  body: 'any',
}

function readFault(body: unknown): Fault {
  if (typeof body !== 'object' || body === null || !('kind' in body) || !isFaultKind(body.kind)) {
    throw new Refusal(problem(400, `kind must be one of: ${Object.keys(faultKinds).join(', ')}`))
  }
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(fields, name))
      throw new Refusal(problem(400, `unknown field "${name}"; there are: ${Object.keys(fields).join(', ')}`))
    if (fields[name as keyof Fault] !== 'any' && typeof value !== fields[name as keyof Fault])
      throw new Refusal(problem(400, `${name} must be a ${fields[name as keyof Fault]}`))
  }
  return body as Fault
}
