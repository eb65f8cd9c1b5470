// Methods of the paths that exist: OPTIONS lists them, and every other method is 405 with `Allow`.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import { decodedPath } from './request-path.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    refuses?: true // the route only explains why its methods are not supported
  }
}

/** Install it before the routes. `isHidden`: the route does not exist for this request. */
export function installMethods(
  app: FastifyInstance,
  isHidden: (request: FastifyRequest, route: string) => boolean,
): void {
  const routes = new Map<string, { form: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses) return
    const route = routes.get(url) ?? { form: formOf(url), methods: new Set() }
    for (const name of [method].flat()) route.methods.add(name)
    if (route.methods.has('GET')) route.methods.add('HEAD')
    routes.set(url, route)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = decodedPath(request.url)
    const matching = [...routes].filter(([url, { form }]) => form.test(path) && !isHidden(request, url))
    if (matching.length === 0) return done()
    // Like the router: a name in the path of a route comes before a parameter.
    const fewest = Math.min(...matching.map(([url]) => variablesIn(url)))
    const found = matching.filter(([url]) => variablesIn(url) === fewest)
    const methods = allowed(found.flatMap(([, route]) => [...route.methods]))
    const allow = methods.join(', ')
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send()
    done(
      new Problem('method_not_allowed', `This address does not support ${request.method}. Supported here: ${allow}.`, {
        headers: { allow },
      }),
    )
  })
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** In the usual order. Every address supports OPTIONS. */
export const allowed = (methods: readonly string[]): string[] =>
  order.filter((method) => method === 'OPTIONS' || methods.includes(method))

const variablesIn = (url: string): number =>
  url.split('/').filter((part) => part === '*' || part.startsWith(':')).length

/** The paths of a route: a parameter is one part that is not empty, `*` is any rest. */
function formOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`, 's')
}
