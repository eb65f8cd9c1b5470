// The content of a body, whatever its spelling: an empty text in an optional field is an absent field, and an instant is
// in UTC. Values that do not fit the schema stay as they are, so that validation names them.
import type { TSchema } from 'typebox'
import { toInstant } from '../../contract/instant.ts'

interface Shape {
  type?: string
  format?: string
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
}

export function contentOf(body: unknown, schema: TSchema): unknown {
  const { type, format, properties, required = [], items } = schema as Shape
  if (typeof body === 'string') return format === 'date-time' ? (toInstant(body) ?? body) : body
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return type === 'array' && items ? body.map((entry) => contentOf(entry, items)) : body
  if (!properties) return body
  const content: Record<string, unknown> = { ...body }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(content, name)) continue
    const value = contentOf(content[name], property)
    if (isEmpty(value, property) && !required.includes(name)) delete content[name]
    else content[name] = value
  }
  return content
}

/** An object of empty fields is as empty as they are. In the place of a text it is a mistake. */
const isEmpty = (value: unknown, { properties }: Shape) =>
  value === '' ||
  (properties !== undefined &&
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0)
