// A call to the platform that the caller writes: `POST /unified/{accountId}/native`.
import { type Static, Type } from 'typebox'

export const nativeMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Request headers that a caller may set. The service adds the others, credentials included. */
export const nativeHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'prefer',
] as const
const longestPath = 2000
const longestValue = 4000
const mostValues = 100
/** The rule for a query parameter, for errors: one per parameter, whatever part of it is wrong. */
export const queryValueRule = `must be text of at most ${longestValue} characters, a number, true or false, or an array of at most ${mostValues} of these`

const scalar = Type.Union([Type.String({ maxLength: longestValue }), Type.Number(), Type.Boolean()])
export const nativeCallSchema = Type.Object(
  {
    method: Type.Unsafe<(typeof nativeMethods)[number]>({ type: 'string', enum: [...nativeMethods] }),
    path: Type.String({
      minLength: 1,
      maxLength: longestPath,
      description:
        "A path of the platform's API without host and query, such as `/v2/locations`. `{name}` is replaced with a setting of the account; `native.settings` of `GET /unified/{accountId}` lists their names",
    }),
    query: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([scalar, Type.Array(scalar, { maxItems: mostValues })], { description: queryValueRule }),
        {
          description: 'Query parameters. An array is sent as one parameter per entry',
        },
      ),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: longestValue }), {
        description: `Request headers: ${nativeHeaders.join(', ')}`,
      }),
    ),
    body: Type.Optional(
      Type.Unknown({ description: 'Sent as JSON. A string is sent as it is, with the `content-type` in `headers`' }),
    ),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'identifier',
        description:
          'Required for POST, PUT, PATCH and DELETE: the idempotency key. The call is sent once; the same request gets the stored response',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NativeCall = Static<typeof nativeCallSchema>
