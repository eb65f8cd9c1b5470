// Bodies: exactly one JSON value in valid UTF-8, whose texts are whole.
import type { FastifyInstance } from 'fastify'
import { Problem, sentence } from '../contract/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
/** Valid UTF-8 has no half characters; an escape can still make one. */
const halfEscaped = /\\u[dD][89a-fA-F]/
const deepest = 100

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
        done(null, parse(decoded(body as Buffer, request.headers['content-type'])))
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

function decoded(body: Buffer, contentType = ''): string {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? []
  if (!/^(utf-?8|(us-)?ascii)$/i.test(charset))
    throw new Problem(
      'unsupported_media_type',
      'The charset in content-type is not supported. Send UTF-8 with content-type: application/json; charset=utf-8.',
    )
  try {
    return decoder.decode(body)
  } catch (error) {
    throw new Problem('malformed_json', 'The body is not valid UTF-8. Send UTF-8.', { cause: error })
  }
}

function parse(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const repeated = fieldsIn(value) === membersIn(text) ? undefined : repeatedName(text)
  // Parsers disagree about which of the two counts, so neither is taken.
  if (repeated !== undefined)
    throw new Problem(
      'malformed_json',
      `The body has the field "${repeated.slice(0, 64)}" twice in one object. Send each field once.`,
    )
  const pointer = halfEscaped.test(text) ? findHalf(value) : undefined
  if (pointer === undefined) return value
  // No platform stores half a surrogate pair as it is: it would come back as another character.
  throw new Problem('validation_failed', 'The body has text with half a character (a lone surrogate).', {
    errors: [{ pointer, message: 'is not well-formed text' }],
  })
}

/** The number of members that the text of a JSON value has: colons outside of strings. */
function membersIn(text: string): number {
  let members = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at) + 1
    if (isColonNext(text, at)) members++
  }
  return members
}
/** The closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before--
    if ((end - before) % 2 === 1) return end
  }
}
function isColonNext(text: string, from: number): boolean {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === 0x3a
}
/** The number of fields in all objects of a value. Throws if it is nested too deeply. */
function fieldsIn(body: unknown): number {
  let fields = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth++) {
    // No record comes near it, and code that walks a value may call itself for every level.
    if (depth > deepest)
      throw new Problem(
        'malformed_json',
        `The body is nested more than ${deepest} levels deep. Send an object with the fields of the schema.`,
      )
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const inner = Object.values(value)
      if (!Array.isArray(value)) fields += inner.length
      for (const one of inner) if (typeof one === 'object') below.push(one)
    }
    level = below
  }
  return fields
}
/** The first name that an object of the text has twice. */
function repeatedName(text: string): string | undefined {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') objects.push(new Set())
    else if (character === '}') objects.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      if (isColonNext(text, end + 1)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string
        if (objects.at(-1)?.has(name)) return name
        objects.at(-1)?.add(name)
      }
      at = end
    }
  }
  return undefined
}

/** The pointer of a text that is not well-formed. */
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
