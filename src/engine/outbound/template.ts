// "{name}" in a connector's templates, filled from account settings, credentials and kept token values.
import type { Template } from '../../contract/connector.ts'

export type Values = Readonly<Record<string, string | undefined>>

/** Undefined when a value that the template names is absent. */
export function fill(template: Template, values: Values): string | undefined {
  let complete = true
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') complete = false
    return value ?? ''
  })
  return complete ? text : undefined
}

export function fillAll(
  templates: Readonly<Record<string, Template>> | undefined,
  values: Values,
): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [name, template] of Object.entries(templates ?? {})) {
    const value = fill(template, values)
    if (value !== undefined) filled[name] = value
  }
  return filled
}

export const namesIn = (template: Template): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
