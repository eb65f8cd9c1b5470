// Native calls, in both address forms. Mounted with the record routes: their hooks authenticate and check the scope.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { nativeAnswerText } from '../engine/native-answer.ts'
import type { Account, Store } from '../store/store.ts'
import { createMappingKeys } from './mapping-key.ts'
import { nativeOperation } from './record-operations.ts'
import { createContexts } from './request-context.ts'

const url = '/unified/:accountId/native'
const supported = 'POST, OPTIONS'

export function nativeRoutes(
  app: FastifyInstance,
  options: { store: Store; engine: Engine; mappingKeys: boolean; maxWaitMs?: number | undefined },
  bodyOf: (request: FastifyRequest) => unknown,
): void {
  const { engine } = options
  const { queryOf, accountKeyOf } = createMappingKeys(options)
  const contextOf = createContexts(options)

  app.post(url, { config: { scope: 'native' } }, async (request, reply) => {
    const account = request.account as Account
    const query = queryOf(request, nativeOperation.query)
    await accountKeyOf(query, account.id, 'write', true)
    const body = bodyOf(request)
    const { answer, replayed } = await engine.native(account, body, contextOf(request, reply))
    const { externalId } = body as { externalId?: string }
    request.touched = { replayed }
    if (replayed) reply.header('idempotent-replayed', 'true')
    reply.type('application/json; charset=utf-8')
    return nativeAnswerText(answer, externalId === undefined ? {} : { reference: { externalId, replayed } })
  })

  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    config: { refuses: true },
    onRequest: async (request) => {
      throw new Problem(
        'method_not_allowed',
        `This address does not support ${request.method}. Send the call as the body of a POST. Supported here: ${supported}.`,
        { headers: { allow: supported } },
      )
    },
    handler: async () => undefined,
  })
}
