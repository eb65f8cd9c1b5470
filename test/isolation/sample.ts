// A value that satisfies a schema of the OpenAPI document, so that a request reaches the authorization check.
type Schema = Record<string, unknown>

export function sampleOf(schema: Schema, example?: unknown): Record<string, unknown> {
  return (example ?? sample(schema)) as Record<string, unknown>
}

function sample(schema: Schema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices) return sample(choices[0] as Schema)
  if (schema.type === 'object' || schema.properties) {
    const required = (schema.required ?? []) as string[]
    return Object.fromEntries(
      required.map((name) => [name, sample((schema.properties as Record<string, Schema>)[name] ?? {})]),
    )
  }
  if (schema.type === 'array')
    return Array.from({ length: Number(schema.minItems ?? 0) }, () => sample(schema.items as Schema))
  if (schema.type === 'integer' || schema.type === 'number') return Number(schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z'
  return 'x'.repeat(Math.max(10, Number(schema.minLength ?? 0)))
}
