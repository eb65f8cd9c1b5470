// Native calls and native parts of records in the OpenAPI document.
import type { ErrorCode } from '../contract/errors.ts'
import { problems, readProblems } from './openapi-problems.ts'
import { ref } from './openapi-schemas.ts'
import { needing } from './openapi-security.ts'

type Json = Record<string, unknown>

const nativeParts = {
  type: 'object',
  required: ['responses'],
  description: 'What the platform sent for a record',
  properties: {
    responses: {
      type: 'array',
      description:
        'The parts of responses that the record was made of, the main one first. Single values that come from other responses, such as the currency of the shop, are not among them',
      items: {
        title: 'NativePart',
        type: 'object',
        required: ['method', 'path', 'pointer'],
        properties: {
          method: { type: 'string' },
          path: { type: 'string', description: "A path of the platform's API" },
          pointer: { type: 'string', description: 'JSON pointer of `value` in the body of the response' },
          value: { description: 'As the platform sent it, without secrets' },
        },
      },
    },
  },
}
export const nativeSchemas: Json = {
  NativeParts: nativeParts,
  NativeResponse: {
    type: 'object',
    required: ['status', 'headers'],
    properties: {
      status: { type: 'integer', description: 'Status of the response of the platform' },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers of the response that contain no secret',
      },
      body: {
        description:
          'Body of the response: JSON as the platform sent it, or a text. Null without a body. Secrets of the account are replaced with •••',
      },
      encoding: {
        type: 'string',
        enum: ['base64'],
        description: 'Of `body`, if the platform sent bytes that are no text',
      },
      reference: {
        title: 'NativeReference',
        type: 'object',
        description: 'Of a call with an `externalId`',
        required: ['externalId', 'replayed'],
        properties: {
          externalId: { type: 'string' },
          replayed: { type: 'boolean', description: '`true`: this is the stored response of an earlier request' },
        },
      },
    },
  },
}
export const nativeByIdSchema = {
  type: 'object',
  description: 'With `include=native`: by `externalId`, what the platform sent',
  additionalProperties: ref('NativeParts'),
}
export const includeParameter = {
  name: 'include',
  in: 'query',
  schema: { type: 'string', enum: ['native'] },
  description: '`native`: also what the platform sent for each record. A cursor carries it',
}
export const fieldsParameter = {
  name: 'fields',
  in: 'query',
  schema: { type: 'string' },
  description:
    'The fields that records have, separated by commas, such as `name,address.city`; `externalId` is always among them. A list saves the second calls that none of them needs (`details` of `GET /unified/{accountId}`). A cursor carries them. Do not PUT such a record: what is left out is cleared',
}

const examples = {
  read: { value: { method: 'GET', path: '/v2/locations' } },
  write: {
    value: { method: 'POST', path: '/v2/customers', body: { given_name: 'Ada' }, externalId: 'native-1' },
  },
}

/** `shared`: what the paths of records have in common. */
export function nativePaths(
  base: string,
  shared: { accountId: Json; prefer: Json; writeKey: Json; mappingProblems: ErrorCode[] },
): Json {
  const { accountId, prefer, writeKey, mappingProblems } = shared
  return {
    [`${base}/native`]: {
      post: {
        operationId: 'callNative',
        summary: "Make a call of the platform's own API",
        tags: ['Native calls'],
        ...needing(
          'native',
          "The path is joined to the API of the account's platform. Token, rate limit and activity are those of every call. A POST, PUT, PATCH or DELETE needs an `externalId`: it is sent once, and if its response is lost, the outcome is unknown.",
        ),
        parameters: [accountId, writeKey, prefer],
        requestBody: { required: true, content: { 'application/json': { schema: ref('NativeCall'), examples } } },
        responses: {
          200: {
            description: 'The platform responded, with any status',
            headers: {
              'Idempotent-Replayed': {
                schema: { type: 'string', enum: ['true'] },
                description: '`true` if the response is a stored one',
              },
            },
            content: { 'application/json': { schema: ref('NativeResponse') } },
          },
          ...problems(
            'insufficient_scope',
            'idempotency_conflict',
            'content_erased',
            'outcome_unknown',
            'write_in_progress',
            'malformed_json',
            'payload_too_large',
            'unsupported_media_type',
            'validation_failed',
            ...mappingProblems,
            ...readProblems.filter((code) => code !== 'entity_not_offered'),
          ),
        },
      },
    },
  }
}
