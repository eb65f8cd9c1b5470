// Bodies: exactly one JSON value in valid UTF-8, whose texts are whole.
import type { FastifyInstance } from 'fastify'
import { Problem, sentence } from '../contract/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
/** Valid UTF-8 has no half characters; an escape can still make one. */
const halfEscaped = /\\u[dD][89a-fA-F]/

export function installJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) {
        // Some clients name a content type on requests that have no body at all.
        if (request.method === 'DELETE' || (request.method === 'POST' && /\/manage\//.test(request.url)))
          return done(null, undefined)
        return done(new Problem('malformed_json', 'The body is empty. Send one JSON object.'))
      }
      try {
        done(null, parse(decoder.decode(body as Buffer)))
      } catch (error) {
        done(
          error instanceof Problem
            ? error
            : new Problem(
                'malformed_json',
                `The body is not one JSON value: ${sentence((error as Error).message.slice(0, 120))} Send one complete JSON object.`,
                { cause: error },
              ),
        )
      }
    },
  )
}

function parse(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const pointer = halfEscaped.test(text) ? findHalf(value) : undefined
  if (pointer === undefined) return value
  // No platform stores half a surrogate pair as it is: it would come back as another character.
  throw new Problem('validation_failed', 'The body has text with half a character (a lone surrogate).', {
    errors: [{ pointer, message: 'is not well-formed text' }],
  })
}

/** The pointer of a text that is not well-formed; without recursion, because bodies can be deep. */
function findHalf(body: unknown): string | undefined {
  const open: [string, unknown][] = [['', body]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [pointer, value] = next
    if (typeof value === 'string' && !value.isWellFormed()) return pointer
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!name.isWellFormed()) return pointer
      open.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, inner])
    }
  }
  return undefined
}
