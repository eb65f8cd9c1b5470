// Responses without the fields of records that a credential must not see.
import type { FastifyInstance } from 'fastify'
import { withoutFields } from '../contract/scopes.ts'

type Json = Record<string, unknown>

/** For every response with JSON. Only credentials with hidden fields pay for it. */
export function installHiddenFields(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const hidden = request.caller?.credential.hiddenFields
    if (!hidden || payload === undefined || payload === null || payload === '') return done(null, payload)
    if (!String(reply.getHeader('content-type')).includes('json')) return done(null, payload)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload))
      return done(new Error('hidden fields cannot be left out of a stream'))
    const isFeed = request.routeOptions.config.scope === 'changes'
    done(null, JSON.stringify(withoutHidden(JSON.parse(String(payload)) as Json, hidden, isFeed)))
  })
}

/** Records are in `data`; a change has its record beside fields of the feed. Other parts name fields by pointers. */
function withoutHidden(body: Json, hidden: readonly string[], isFeed: boolean): Json {
  const { data, native: _, ...rest } = body // a cursor of another credential can ask for native rows
  const shown: Json = rest
  if (isFeed && Array.isArray(data))
    shown.data = data.map(({ record, ...change }: Json) => ({ ...change, record: withoutFields(record, hidden) }))
  else if (data !== undefined) shown.data = withoutFields(data, hidden)
  for (const name of ['differences', 'warnings'])
    if (Array.isArray(body[name]))
      shown[name] = body[name].filter(
        ({ pointer }: { pointer?: unknown }) =>
          !String(pointer ?? '')
            .split('/')
            .some((part) => hidden.includes(part)),
      )
  return shown
}
