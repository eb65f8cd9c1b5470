// Examples in the OpenAPI documents: what `npm run examples` sent to a sandbox, and what it got.

type Json = Record<string, unknown>
export interface Example {
  status: number
  parameters?: Record<string, string>
  body?: unknown
  answer?: unknown
  others?: Record<string, unknown> // responses with another status
}
export type Examples = Readonly<Record<string, Example>>
interface Media {
  examples?: Record<string, { value: unknown }>
}
interface Operation {
  operationId: string
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

/** Loaded when somebody reads a document, not at every start. */
export const loadExamples = async (): Promise<Examples> =>
  (await import('./openapi-examples.json', { with: { type: 'json' } })).default as Examples

export function addExamples(paths: Json, examples: Examples): void {
  for (const item of Object.values(paths) as Record<string, Operation>[])
    for (const operation of Object.values(item)) {
      const example = examples[operation.operationId]
      if (!example) continue
      operation.parameters = operation.parameters?.map((parameter) => {
        const value = parameter.in === 'path' ? example.parameters?.[parameter.name] : undefined
        return value === undefined ? parameter : { ...parameter, example: value }
      })
      show(operation.requestBody?.content, example.body)
      for (const [status, answer] of Object.entries({ [example.status]: example.answer, ...example.others }))
        show(operation.responses[status]?.content, answer)
    }
}
/** Of several content types, the first one is what a request without `Accept` gets. */
function show(content: Record<string, Media> | undefined, value: unknown): void {
  const [media] = Object.values(content ?? {})
  if (media && value !== undefined) media.examples ??= { sandbox: { value } }
}
