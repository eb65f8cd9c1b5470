// Finds the handler for a method and a path pattern such as `/v2/customers/:id`. A static segment wins over a
// parameter.
import { Refusal } from './http.ts'
import type { WireRequest, WireResponse } from './simulator.ts'

export interface RouteCall<Context> {
  request: WireRequest
  params: Readonly<Record<string, string>> // decoded
  context: Context
}
export type Handler<Context> = (call: RouteCall<Context>) => WireResponse | Promise<WireResponse>
/**
 * Keys are `METHOD /pattern`; `:name` matches one segment or a part of one (`/items/:id.json`), `:name*` matches the
 * rest.
 */
export type Routes<Context> = Readonly<Record<string, Handler<Context>>>
export interface Fallbacks {
  notFound(request: WireRequest): WireResponse
  methodNotAllowed(request: WireRequest, allowed: string[]): WireResponse
}
export type Router<Context> = (request: WireRequest, context: Context) => Promise<WireResponse>

interface Route<Context> {
  method: string
  pattern: RegExp
  names: string[]
  handler: Handler<Context>
}

export function createRouter<Context>(routes: Routes<Context>, fallbacks: Fallbacks): Router<Context> {
  const table = Object.entries(routes)
    .map(([key, handler]) => compile(key, handler))
    .sort((a, b) => a.names.length - b.names.length)
  return async (request, context) => {
    const matching = table.filter((route) => route.pattern.test(request.path))
    const route = matching.find(({ method }) => method === request.method)
    if (!route)
      return matching.length === 0
        ? fallbacks.notFound(request)
        : fallbacks.methodNotAllowed(request, [...new Set(matching.map(({ method }) => method))])
    const params = paramsOf(route, request.path)
    if (!params) return fallbacks.notFound(request)
    try {
      return await route.handler({ request, params, context })
    } catch (error) {
      if (error instanceof Refusal) return error.response
      throw error
    }
  }
}

function compile<Context>(key: string, handler: Handler<Context>): Route<Context> {
  const [method, path] = key.split(' ', 2)
  if (!method || !path?.startsWith('/')) throw new Error(`a route must be "METHOD /pattern", not "${key}"`)
  const names: string[] = []
  const source = path.split(/(:[A-Za-z_]+\*?)/).map((part) => {
    if (!part.startsWith(':')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    names.push(part.replace(/[:*]/g, ''))
    return part.endsWith('*') ? '(.+)' : '([^/]+?)'
  })
  return { method, pattern: new RegExp(`^${source.join('')}$`), names, handler }
}

function paramsOf(route: Route<never>, path: string): Record<string, string> | undefined {
  const values = route.pattern.exec(path)?.slice(1) ?? []
  try {
    return Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
  } catch {
    return undefined // a stray % in the path
  }
}
