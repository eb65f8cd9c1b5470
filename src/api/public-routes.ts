// What needs no credential: health, the support matrix, the schemas, the error reference and the API reference page.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Connector } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { errorTable, Problem } from '../contract/errors.ts'
import { flavorExample } from '../contract/example.ts'
import { allFlavors, flavorOf, publishedSchema } from '../contract/validation.ts'
import { platformSupport } from '../engine/support.ts'
import type { Documents } from './openapi.ts'
import { readQuery } from './query.ts'
import type { Readiness } from './readiness.ts'
import { pageHeaders, referencePage } from './reference-page.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Where the OpenAPI documents are. */
const documentPaths = { '/openapi.json': 'records', '/manage/openapi.json': 'manage' } as const

export interface PublicOptions {
  readiness: Readiness
  connectors: Readonly<Record<string, Connector>>
  /** The OpenAPI documents: made when somebody reads them, not at every start. */
  documents(): Promise<Documents>
  /** Whether the request can reach the management API. */
  hasManagement(request: FastifyRequest): boolean
  /** Where `/` leads. */
  home(request: FastifyRequest): string
  /** Why the service is not ready, although its database is. */
  held(): string | undefined
}

export async function publicRoutes(
  app: FastifyInstance,
  { readiness, connectors, documents, hasManagement, home, held }: PublicOptions,
): Promise<void> {
  const matrix = { data: Object.values(connectors).map(platformSupport) }
  let made: Promise<Documents> | undefined
  const documentsOnce = () => {
    made ??= documents()
    return made
  }

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    const reason = held()
    if (reason) throw new Problem('unavailable', reason, { headers: { 'retry-after': '5' } })
    await readiness.check()
    return { status: 'ready' }
  })
  app.get('/platforms', async (request) => {
    readQuery(request.query, [])
    return matrix
  })
  for (const [path, name] of Object.entries(documentPaths)) {
    let text: string | undefined
    app.get(path, async (_, reply) => {
      text ??= JSON.stringify((await documentsOnce())[name])
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
  let schemas: object | undefined
  app.get('/schemas', async (request) => {
    readQuery(request.query, [])
    schemas ??= allSchemas()
    return schemas
  })
  app.get('/schemas/:vertical/:file', async (request, reply) => {
    const { vertical, file } = request.params as { vertical: Vertical; file: string }
    const flavor = file.endsWith('.json') ? flavorOf(vertical, file.slice(0, -5) as EntityType) : undefined
    if (!flavor) throw new Problem('not_found', 'There is no such schema. GET /schemas lists all of them.')
    const { definition, write } = flavor
    return reply.type('application/schema+json').send({
      $schema: dialect,
      title: definition.title,
      ...publishedSchema(write.schema, { ofBody: true }),
      examples: [flavorExample(definition, vertical)],
    })
  })
  app.get('/errors', async (_, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(errorPage()))
  app.get('/errors.json', async (request) => {
    readQuery(request.query, [])
    return { data: Object.entries(errorTable).map(([code, row]) => ({ code, ...row })) }
  })
  app.get('/', async (request, reply) => reply.redirect(home(request)))
  referencePage(app, hasManagement)
}

const allSchemas = () => ({
  data: allFlavors().map(({ definition: { entityType, writable }, vertical, read, write }) => ({
    vertical,
    entityType,
    url: `/schemas/${vertical}/${entityType}.json`,
    record: { $schema: dialect, ...publishedSchema(read.schema, { ofBody: false }) },
    ...(writable ? { body: { $schema: dialect, ...publishedSchema(write.schema, { ofBody: true }) } } : {}),
  })),
})

function errorPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, title, meaning, remedy }]) =>
      `<section id="${code}"><h2><code>${code}</code> <small>${status} ${title}</small></h2><p>${prose(meaning)}</p><p><strong>What to do:</strong> ${prose(remedy)}</p></section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Errors</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}small{font-weight:400}section:target{outline:2px solid;outline-offset:.5rem}</style><h1>Errors</h1>${rows.join('')}</html>`
}
const prose = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
