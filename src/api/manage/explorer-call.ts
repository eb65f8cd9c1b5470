// Shared by all explorer calls: account, mapping, and caller; timing and the caller's request for the response.
import type { FastifyRequest } from 'fastify'
import { existingAccount, ofAccount } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RequestContext } from '../../engine/options.ts'
import type { Target } from '../../engine/target.ts'
import type { Direction, MappingOverlay, Store } from '../../store/store.ts'
import { loadOf } from '../admission.ts'
import { etagOf } from '../etag.ts'
import { formBPrefix } from '../record-operations.ts'
import type { ManageCall } from './route.ts'

/** A request of an operator that makes calls to the platform. */
interface Timed {
  context: RequestContext
  began: number
  request: FastifyRequest
}
export interface Asking extends Timed {
  target: Target
  mapping: MappingOverlay | undefined
  mappingId: string | undefined // if a key names the mapping; otherwise it is the default
  mappingKey: string | undefined
}
const maxWaitMs = 30_000

export const timed = (request: FastifyRequest): Timed => ({
  context: {
    requestId: request.id,
    caller: request.operator?.user ?? 'management',
    maxWaitMs,
    waitedMs: 0,
    ...loadOf(request),
  },
  began: performance.now(),
  request,
})

export function createAsking(store: Store, engine: Engine) {
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
    const asked = timed(request)
    const target = engine.target(await owned(parameters), parameters.entityType as string)
    const { mapping, mappingId } = await mappingOf(mappingKey, target, direction)
    return { ...asked, target, mapping, mappingId, mappingKey }
  }
}

/** After the call. */
export function callSummary({ context, began, request }: Timed, callersRequest: CallerRequest) {
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
    request: callersRequest,
  }
}

/** The same request to the unified API, as a caller sends it with a key of their own. */
export interface CallerRequest {
  method: string
  path: string
  body?: unknown
  ifMatch?: string | undefined
}
interface UnifiedCall {
  method?: string
  id?: string
  query?: Record<string, string | undefined>
  body?: unknown
  version?: string | undefined
}
/** Form A, or form B if there is a mapping key. */
export function callerRequest(
  { target, mappingKey }: Asking,
  { method = 'GET', id, query = {}, body, version }: UnifiedCall,
): CallerRequest {
  const place = placeOf(target.account.id, target.flavor.definition.entityType, ...(id === undefined ? [] : [id]))
  const given = Object.entries({ ...query, mappingKey }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    method,
    path: `${mappingKey === undefined ? '' : formBPrefix}${place}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`,
    body,
    ifMatch: version === undefined ? undefined : etagOf(version),
  }
}
/** A native call, in form A: a mapping key would change nothing. */
export const nativeCallerRequest = (accountId: string, body: unknown): CallerRequest => ({
  method: 'POST',
  path: placeOf(accountId, 'native'),
  body,
})
const placeOf = (...parts: string[]) => `/unified/${parts.map(encodeURIComponent).join('/')}`
