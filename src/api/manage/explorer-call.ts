// Shared by all explorer calls: account, mapping, and caller; timing and a matching curl command for the response.
import type { FastifyRequest } from 'fastify'
import { existingAccount, ofAccount } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RequestContext } from '../../engine/options.ts'
import type { Target } from '../../engine/target.ts'
import type { Direction, MappingOverlay, Store } from '../../store/store.ts'
import { loadOf } from '../admission.ts'
import { formBPrefix } from '../openapi-record-paths.ts'
import type { ManageCall } from './route.ts'

export interface Asking {
  target: Target
  mapping: MappingOverlay | undefined
  mappingId: string | undefined // if a key names the mapping; otherwise it is the default
  mappingKey: string | undefined
  context: RequestContext
  began: number
  request: FastifyRequest
  publicUrl: string // curl commands use the public port
}
const maxWaitMs = 30_000

export function createAsking(store: Store, engine: Engine, baseUrl: () => string) {
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  async function mappingOf(
    key: string | undefined,
    target: Target,
    direction: Direction,
  ): Promise<{ mapping: MappingOverlay | undefined; mappingId?: string }> {
    if (key === undefined) return { mapping: await engine.mappings.byDefault(target, direction) }
    const found = await store.mappingKeys.get(key)
    if (
      found?.accountId !== target.account.id ||
      found.direction !== direction ||
      (found.entityType && found.entityType !== target.flavor.definition.entityType)
    )
      throw new Problem(
        'mapping_key_mismatch',
        `The account has no ${direction} mapping key like this for this entity type. GET /manage/v1${ofAccount('/mapping-keys')} lists the keys.`,
      )
    const { mappingId } = found
    return mappingId === undefined
      ? { mapping: await engine.mappings.byDefault(target, direction) }
      : { mapping: await store.mappings.get(mappingId), mappingId }
  }
  return async (
    { parameters, request }: Pick<ManageCall<unknown>, 'parameters' | 'request'>,
    direction: Direction,
    mappingKey: string | undefined,
  ): Promise<Asking> => {
    const began = performance.now()
    const target = engine.target(await owned(parameters), parameters.entityType as string)
    const { mapping, mappingId } = await mappingOf(mappingKey, target, direction)
    const context: RequestContext = {
      requestId: request.id,
      caller: request.operator?.user ?? 'management',
      maxWaitMs,
      waitedMs: 0,
      ...loadOf(request),
    }
    return { target, mapping, mappingId, mappingKey, context, began, request, publicUrl: baseUrl() }
  }
}

/** After the call. */
export function callSummary({ context, began, request }: Asking, curl: string) {
  const totalMs = performance.now() - began
  const [waitMs, platformMs] = [context.waitedMs ?? 0, context.platformMs ?? 0]
  const rounded = (milliseconds: number) => Number(Math.max(0, milliseconds).toFixed(1))
  return {
    requestId: request.id,
    timing: {
      totalMs: rounded(totalMs),
      waitMs: rounded(waitMs),
      platformMs: rounded(platformMs),
      serviceMs: rounded(totalMs - waitMs - platformMs),
      nativeCalls: context.nativeCalls ?? 0,
    },
    curl,
  }
}

interface UnifiedCall {
  method?: string
  id?: string
  query?: Record<string, string | undefined>
  body?: unknown
  ifMatch?: string | undefined
}
/** Form A, or form B if there is a mapping key. */
export function curlOf(
  { target, mappingKey, publicUrl }: Asking,
  { method = 'GET', id, query = {}, body, ifMatch }: UnifiedCall,
): string {
  const place = ['unified', target.account.id, target.flavor.definition.entityType, ...(id === undefined ? [] : [id])]
    .map(encodeURIComponent)
    .join('/')
  const given = Object.entries({ ...query, mappingKey }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const address = `${publicUrl}${mappingKey === undefined ? '' : formBPrefix}/${place}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    `-H "authorization: Bearer $${mappingKey === undefined ? 'API_KEY' : 'ACCESS_TOKEN'}"`,
    ...(ifMatch === undefined ? [] : [`-H ${quoted(`if-match: ${JSON.stringify(ifMatch)}`)}`]),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
