// The paths of the record API. They are the same in both address forms: form B is another server with the same paths.

import { entities } from '../contract/entities/index.ts'
import { type EntityDefinition, entityTypes, referenceModes } from '../contract/entity.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { flavorExample } from '../contract/example.ts'
import { changePaths } from './openapi-change-paths.ts'
import { fieldsParameter, includeParameter, nativeByIdSchema, nativePaths } from './openapi-native-paths.ts'
import { problems, readProblems, writeProblems } from './openapi-problems.ts'
import {
  concurrencySchema,
  dailyLimitSchema,
  dryRunSchema,
  nativeSupportSchema,
  rateLimitSchema,
  ref,
} from './openapi-schemas.ts'
import { needing } from './openapi-security.ts'

type Json = Record<string, unknown>
export const formBPrefix = '/api/1.0/standalone-link-engine-service'

const queueWait = {
  'X-Queue-Wait-Ms': {
    schema: { type: 'integer' },
    description: "Milliseconds in which calls of this request waited for slots within the platform's rate limit",
  },
}

export const json = (schema: unknown) => ({ 'application/json': { schema } })
export function unifiedPaths(schemas: Json): Json {
  const accountId = {
    name: 'accountId',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Id of the connected account',
  }
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description:
      "The platform's id of the record: `externalId` of a record that you read, `reference.id` of one that you wrote",
  }
  const prefer = {
    name: 'Prefer',
    in: 'header',
    schema: { type: 'string' },
    description:
      "`wait=SECONDS`: how long the first call to the platform can wait for a slot within its rate limit, at most 60. By default 10, or the average time between two calls at the slowest of the platform's limits plus 2 if that is longer",
  }
  const mappingKey = (direction: string, required = true) => ({
    name: 'mappingKey',
    in: 'query',
    schema: { type: 'string' },
    description: `Form B only: a ${direction} mapping key of the account${required ? ', required there' : ''}`,
  })
  const mappingProblems: ErrorCode[] = ['mapping_key_required', 'mapping_key_mismatch']
  const warnings = { type: 'array', items: ref('Warning') }
  const paths: Json = {
    '/unified/{accountId}': {
      get: {
        operationId: 'getAccountSupport',
        summary: 'What the account supports',
        tags: ['Accounts'],
        ...needing(
          undefined,
          'The operations and fields of each entity type, what a write requires, and the limits of the platform.',
        ),
        parameters: [accountId],
        responses: {
          200: {
            description: 'Support per entity',
            content: json({
              title: 'AccountSupport',
              type: 'object',
              required: ['accountId', 'platform', 'name', 'vertical', 'state', 'rateLimit', 'native', 'entities'],
              properties: {
                accountId: { type: 'string' },
                platform: { type: 'string' },
                name: { type: 'string', description: "The platform's name" },
                vertical: { type: 'string' },
                state: { type: 'string' },
                test: {
                  type: 'boolean',
                  description: '`true` in a test environment of the platform; absent for a real business',
                },
                rateLimit: rateLimitSchema,
                concurrency: concurrencySchema,
                dailyLimit: dailyLimitSchema,
                native: nativeSupportSchema,
                entities: { type: 'object', additionalProperties: ref('EntitySupport') },
              },
            }),
          },
          ...problems('unknown_parameter', 'unauthorized', 'unknown_account', 'too_many_requests', 'unavailable'),
        },
      },
    },
  }
  for (const entityType of entityTypes) {
    const definition: EntityDefinition = entities[entityType]
    const { classes, names, writable } = definition
    const title = classes.one
    const tags = [definition.title]
    const pageOf = (item: unknown) => ({
      type: 'object',
      required: ['data', 'pagination'],
      properties: {
        data: { type: 'array', items: item },
        native: nativeByIdSchema,
        pagination: ref('Pagination'),
        reference: ref('KeyStatus'),
        warnings,
      },
    })
    const answerOf = (data: unknown) => ({
      type: 'object',
      required: ['data'],
      properties: { data, native: nativeByIdSchema, warnings },
    })
    schemas[`${title}Page`] = pageOf(ref(title))
    schemas[`${title}Answer`] = answerOf(ref(title))
    const examples = Object.fromEntries(
      definition.verticals.map((vertical) => [vertical, { value: flavorExample(definition, vertical) }]),
    )
    const requestBody = { required: true, content: { 'application/json': { schema: ref(`${title}Input`), examples } } }
    const list = {
      operationId: `list${classes.many}`,
      summary: `List ${names.many}`,
      tags,
      ...needing(
        'records:read',
        `Records as the platform has them now, a page at a time. Follow \`pagination.cursor\` until \`hasMore\` is false.`,
      ),
      parameters: [
        accountId,
        {
          name: 'pageSize',
          in: 'query',
          schema: { type: 'integer', minimum: 1, default: 50 },
          description: "Maximum number of records per page; the platform's limit also applies",
        },
        {
          name: 'cursor',
          in: 'query',
          schema: { type: 'string' },
          description: '`pagination.cursor` of the previous page; it contains the page size and the filters',
        },
        {
          name: 'updatedAfter',
          in: 'query',
          schema: { type: 'string', format: 'date-time' },
          description:
            'Only records modified after this time (exclusive). If the platform has only whole seconds (`stampPrecision`), also the other records of that second',
        },
        {
          name: 'externalId',
          in: 'query',
          schema: { type: 'string' },
          description:
            "Your source id, not the platform's: returns the record that you wrote or linked under it, with its outcome; cannot be combined with pageSize, cursor, updatedAfter and search",
        },
        {
          name: 'search',
          in: 'query',
          schema: { type: 'string', maxLength: 200 },
          description:
            'A source id, a platform id, or what the platform can search for (`search` in the support of the entity). Records with that id come first; cannot be combined with `updatedAfter` and `externalId`',
        },
        includeParameter,
        fieldsParameter,
        mappingKey('read'),
        prefer,
      ],
      responses: {
        200: {
          description: 'One page. With `fields`, its records have the selected fields only',
          headers: {
            Link: { schema: { type: 'string' }, description: 'rel="next" if there is another page' },
            ...queueWait,
          },
          content: json(ref(`${title}Page`)),
        },
        ...problems('invalid_cursor', 'filter_unsupported', ...mappingProblems, ...readProblems),
      },
    }
    const get = {
      operationId: `get${title}`,
      summary: `Get one ${names.one} by platform id`,
      tags,
      ...needing('records:read', 'The record as the platform has it now.'),
      parameters: [accountId, id, includeParameter, fieldsParameter, mappingKey('read'), prefer],
      responses: {
        200: {
          description: 'The record. With `fields`, it has the selected fields only',
          headers: {
            ETag: {
              schema: { type: 'string' },
              description: 'Version of the record for `If-Match` of a PUT, if the platform has versions',
            },
            ...queueWait,
          },
          content: json(ref(`${title}Answer`)),
        },
        ...problems('record_not_found', 'method_not_allowed', ...mappingProblems, ...readProblems),
      },
    }
    const written = (description: string, schema: string) => ({
      description,
      headers: {
        ETag: {
          schema: { type: 'string' },
          description:
            'Version of the record in `data`: what a GET returns. Absent if the platform has no versions, and if the service finished an interrupted write',
        },
        ...queueWait,
      },
      content: json(ref(schema)),
    })
    if (writable) {
      const { properties } = dryRunSchema
      schemas[`${title}Written`] = {
        type: 'object',
        required: ['success', 'data', 'reference'],
        properties: { success: { type: 'boolean' }, data: ref(title), reference: ref('Reference'), warnings },
      }
      // One schema instead of a choice of two, which most languages have no type for.
      schemas[`${title}Created`] = {
        type: 'object',
        description: `The members of \`${title}Written\`, or with \`dryRun\` those of \`DryRun\``,
        properties: { success: { type: 'boolean' }, ...properties, data: ref(title) },
      }
    }
    const references = {
      name: 'references',
      in: 'query',
      schema: { title: 'ReferenceMode', type: 'string', enum: [...referenceModes], default: 'auto' },
      description:
        "Whose ids the references in the body are. source: your source ids; one that was never written or linked is 422 `unknown_reference`. platform: the platform's ids, sent as they are. auto: a source id if one was written or linked under it, else the platform's id with the warning `reference_assumed`. On PUT, a reference that equals what the record holds now is unchanged in every mode",
    }
    const onUnknown = {
      name: 'onUnknown',
      in: 'query',
      schema: { type: 'string', enum: ['resend'] },
      description: 'Resend a write whose outcome the platform cannot report',
    }
    const guard = {
      name: 'guard',
      in: 'query',
      schema: { title: 'WriteGuard', type: 'string', enum: ['duplicates'] },
      description:
        'duplicates: the same content that was written with this parameter under another externalId within an hour, or is still being written, is 409 `possible_duplicate` with the first record',
    }
    const confirmDuplicate = {
      name: 'confirmDuplicate',
      in: 'query',
      schema: { type: 'boolean', default: false },
      description: 'With guard=duplicates: write the record although its content was just written',
    }
    const dryRun = {
      name: 'dryRun',
      in: 'query',
      schema: { title: 'DryRunMode', type: 'string', enum: ['true', 'check'] },
      description:
        'true: show what would be sent; nothing is written or stored. A key that is in use gets what the request would get: a replay as `reference` and `data` with no steps, or 409. check: only what can be checked about the record without calling the platform; the key is not looked up',
    }
    const post = {
      operationId: `create${title}`,
      summary: `Write one ${names.one}; externalId is the idempotency key`,
      tags,
      ...needing(
        'records:write',
        'A repeated request with the same `externalId` and content gets the stored response and writes nothing.',
      ),
      parameters: [accountId, references, onUnknown, guard, confirmDuplicate, dryRun, mappingKey('write'), prefer],
      requestBody,
      responses: {
        200: {
          description: 'Replay of an earlier write with this key; with dryRun, what would be sent',
          headers: {
            'Idempotent-Replayed': {
              schema: { type: 'string', enum: ['true'] },
              description: '`true` if the response is a stored one. It has no ETag: the record may have changed since',
            },
            ...queueWait,
          },
          content: json(ref(`${title}Created`)),
        },
        201: written('Written', `${title}Created`),
        ...problems(
          'idempotency_conflict',
          'content_erased',
          'possible_duplicate',
          'outcome_unknown',
          'partially_written',
          'write_in_progress',
          ...mappingProblems,
          ...writeProblems,
        ),
      },
    }
    const ifMatch = {
      name: 'If-Match',
      in: 'header',
      schema: { type: 'string' },
      description:
        'ETag of the record, from a GET, POST or PUT; the update is 412 `precondition_failed` if the record has changed, or if the platform has no versions. `*` is the same as no header',
    }
    const put = {
      operationId: `update${title}`,
      summary: `Replace one ${names.one}`,
      tags,
      ...needing('records:write', 'Replaces the whole record. Writing back what was read changes nothing.'),
      parameters: [accountId, id, references, mappingKey('write', false), ifMatch, prefer],
      requestBody,
      responses: {
        200: written('Replaced', `${title}Written`),
        ...problems(
          'record_not_found',
          'outcome_unknown',
          'partially_written',
          'write_in_progress',
          'content_erased',
          'stale_record',
          'precondition_failed',
          ...mappingProblems,
          ...writeProblems,
        ),
      },
    }
    paths[`/unified/{accountId}/${entityType}`] = writable ? { get: list, post } : { get: list }
    paths[`/unified/{accountId}/${entityType}/{id}`] = writable ? { get, put } : { get }
  }
  const shared = { accountId, mappingProblems }
  const base = '/unified/{accountId}'
  return {
    ...paths,
    ...changePaths(base, { ...shared, mappingKey: mappingKey('read') }),
    ...nativePaths(base, { ...shared, prefer, writeKey: mappingKey('write') }),
  }
}
