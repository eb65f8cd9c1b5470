// Checks the settings of an account against the connector's schema.
import { Type } from 'typebox'
import type { Connector } from '../contract/connector.ts'
import type { Violation } from '../contract/errors.ts'
import { createValidator } from '../contract/validation.ts'
import { namesIn } from './outbound/template.ts'

/** With `partial`, settings may be missing: the platform can supply them later. */
export function settingViolations(
  connector: Connector,
  settings: Record<string, string>,
  { partial = false } = {},
): Violation[] {
  const schema = connector.settings ?? Type.Object({})
  const unknown = Object.keys(settings).filter((name) => !Object.hasOwn(schema.properties, name))
  const known = createValidator(partial ? { ...schema, required: [] } : schema).violations(settings)
  return [
    ...unknown.map((name) => ({ pointer: `/settings/${name}`, message: `is not a setting of ${connector.name}` })),
    ...known.map(({ pointer, message }) => ({ pointer: `/settings${pointer}`, message })),
  ]
}

/** Settings that identify a business and its host: those that the connector requires. */
export function identifyingSettings(
  connector: Connector,
  settings: Readonly<Record<string, string>>,
): { business: string[]; host: string[] } {
  const hosts = new Set(Object.values(connector.origins).flatMap(namesIn))
  const given = ((connector.settings?.required ?? []) as readonly string[]).filter(
    (name) => settings[name] !== undefined,
  )
  return {
    business: given.filter((name) => !hosts.has(name)),
    host: [...hosts].filter((name) => settings[name] !== undefined),
  }
}
