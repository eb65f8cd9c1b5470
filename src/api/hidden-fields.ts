// Responses without the fields of records that a credential must not see.
import type { FastifyInstance } from 'fastify'
import { strikeHidden } from '../contract/hidden-fields.ts'

/** For every response with JSON. Only credentials with hidden fields pay for it. */
export function installHiddenFields(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const hidden = request.caller?.credential.hiddenFields
    if (!hidden || payload === undefined || payload === null || payload === '') return done(null, payload)
    if (!String(reply.getHeader('content-type')).includes('json')) return done(null, payload)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload))
      return done(new Error('hidden fields cannot be left out of a stream'))
    const ofChanges = request.routeOptions.config.scope === 'changes'
    done(null, JSON.stringify(strikeHidden(JSON.parse(String(payload)), hidden, { ofChanges })))
  })
}
