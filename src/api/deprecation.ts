// Deprecated routes and query parameters. Responses announce them with Deprecation (RFC 9745), Sunset (RFC 8594) and a
// Link; the OpenAPI document marks them as `deprecated`.
import type { FastifyInstance } from 'fastify'
import { formBPrefix } from './record-operations.ts'

export interface Deprecation {
  method: string
  route: string // as the router has it: /unified/:accountId/:entityType
  parameter?: string // only requests with this query parameter
  since: string // ISO 8601
  sunset?: string // ISO 8601; at least 180 days after `since`
  link: string // documentation: what to use instead
}
/** Callers have this long to change. */
const noticeMs = 180 * 86_400_000

export const deprecations: readonly Deprecation[] = []

/** Throws when the app is ready if an entry names no route, or if its dates are wrong. */
export function installDeprecations(app: FastifyInstance, entries: readonly Deprecation[]): void {
  if (entries.length === 0) return
  for (const { method, route, since, sunset = '9999-12-31' } of entries)
    if (!(Date.parse(sunset) - Date.parse(since) >= noticeMs))
      throw new Error(
        `The deprecation of ${method} ${route} needs a date in since, and in sunset none or one at least 180 days later.`,
      )
  const byRoute = Map.groupBy(entries, ({ method, route }) => `${method} ${route}`)
  const routes = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`)
  })
  app.addHook('onReady', async () => {
    for (const name of byRoute.keys())
      if (!routes.has(name)) throw new Error(`There is a deprecation of ${name}, but no such route.`)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const found = byRoute
      .get(`${request.method} ${request.routeOptions.url}`)
      ?.filter(({ parameter }) => parameter === undefined || Object.hasOwn(request.query as object, parameter))
    if (!found?.length) return done(null, payload)
    const since = Math.min(...found.map((entry) => Date.parse(entry.since)))
    reply.header('deprecation', `@${Math.floor(since / 1000)}`)
    const sunsets = found.flatMap(({ sunset }) => (sunset === undefined ? [] : [Date.parse(sunset)]))
    if (sunsets.length > 0) reply.header('sunset', new Date(Math.min(...sunsets)).toUTCString())
    const links = found.map(({ link }) => `<${link}>; rel="deprecation"; type="text/html"`)
    reply.header('link', [reply.getHeader('link') ?? [], ...links].flat().join(', '))
    done(null, payload)
  })
}

interface Operation {
  deprecated?: boolean
  description?: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; description?: string; deprecated?: boolean }[]
}

/** Marks the operations and parameters of an OpenAPI document. It has the paths of form B without their prefix. */
export function markDeprecated(paths: Record<string, unknown>, entries: readonly Deprecation[]): void {
  for (const { method, route, parameter } of entries) {
    const isFormB = route.startsWith(`${formBPrefix}/unified`)
    const described = isFormB ? route.slice(formBPrefix.length) : route
    const expression = new RegExp(`^${described.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const [path, item] of Object.entries(paths)) {
      const operation = (item as Record<string, Operation | undefined>)[method.toLowerCase()]
      if (!operation || !expression.test(path)) continue
      const hasForms = operation.security?.some((one) => 'accessToken' in one) && !path.startsWith('/manage/')
      const mark = ({ description = '' }: { description?: string }) => ({
        deprecated: true,
        ...(hasForms ? { description: `${description} Deprecated in form ${isFormB ? 'B' : 'A'}.`.trimStart() } : {}),
      })
      if (parameter === undefined) Object.assign(operation, mark(operation))
      else
        operation.parameters = operation.parameters?.map((one) =>
          one.in === 'query' && one.name === parameter ? { ...one, ...mark(one) } : one,
        )
    }
  }
}
