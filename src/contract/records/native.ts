// Native calls and native parts of records, as callers read them.
import { oneOf } from '../field.ts'
import { anything, byName, flag, listOf, optional, shape, text, whole } from '../schema.ts'

export const nativeParts = shape(
  'NativeParts',
  {
    responses: listOf(
      shape('NativePart', {
        method: text(),
        path: text("A path of the platform's API"),
        pointer: text('JSON pointer of `value` in the body of the response'),
        value: optional(anything('As the platform sent it, without secrets')),
      }),
      'The parts of responses that the record was made of, the main one first. Single values that come from other responses, such as the currency of the shop, are not among them',
    ),
  },
  { description: 'What the platform sent for a record' },
)
export const nativeById = byName(nativeParts, 'With `include=native`: by `externalId`, what the platform sent')
export const nativeResponse = shape('NativeResponse', {
  status: whole('Status of the response of the platform'),
  headers: byName(text(), 'Headers of the response that contain no secret'),
  body: optional(
    anything(
      'Body of the response: JSON as the platform sent it, or a text. Null without a body. Secrets of the account are replaced with •••',
    ),
  ),
  encoding: optional(oneOf(['base64'], 'Of `body`, if the platform sent bytes that are no text')),
  reference: optional(
    shape(
      'NativeReference',
      { externalId: text(), replayed: flag('`true`: this is the stored response of an earlier request') },
      { description: 'Of a call with an `externalId`' },
    ),
  ),
})
