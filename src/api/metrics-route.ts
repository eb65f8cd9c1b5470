// GET /metrics for Prometheus. It says how much business the service does, so without a token it is open only in the
// sandbox and on the management port.
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { sameText } from '../accounts/secrets.ts'
import { Problem } from '../contract/errors.ts'
import { bearerOf, invalidToken } from './authentication.ts'

export interface MetricsAccess {
  metricsToken?: string
  openMetrics: boolean
}

export function metricsRoute(
  app: FastifyInstance,
  registry: Registry,
  { metricsToken, openMetrics }: MetricsAccess,
): void {
  app.addHook('onRequest', async (request) => {
    if (metricsToken !== undefined) {
      if (!sameText(bearerOf(request), metricsToken))
        throw invalidToken('The token is not the METRICS_TOKEN of the service.')
    } else if (!openMetrics)
      throw new Problem(
        'not_found',
        'Metrics are off. Set METRICS_TOKEN to protect them with a token, or MANAGE_PORT to serve them on a separate port.',
      )
  })
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
