// The settings of an account against the connector's own schema.
import type { Connector } from '../contract/connector.ts'
import type { Violation } from '../contract/errors.ts'
import { createValidator } from '../contract/validation.ts'
import { namesIn } from './outbound/template.ts'

export function settingViolations(connector: Connector, settings: Record<string, string>): Violation[] {
  if (!connector.settings) return Object.keys(settings).map((name) => ({ pointer: `/settings/${name}`, message: `is not a setting of ${connector.name}` }))
  return createValidator({ ...connector.settings, additionalProperties: false })
    .violations(settings)
    .map(({ pointer, message }) => ({ pointer: `/settings${pointer}`, message: message === 'is not a field of this entity' ? `is not a setting of ${connector.name}` : message }))
}

/** Settings that say which business is meant, and where it is: those that the connector cannot do without. */
export function identifyingSettings(connector: Connector, settings: Readonly<Record<string, string>>): { business: string[]; host: string[] } {
  const hosts = new Set(Object.values(connector.origins).flatMap(namesIn))
  const given = ((connector.settings?.required ?? []) as readonly string[]).filter((name) => settings[name] !== undefined)
  return { business: given.filter((name) => !hosts.has(name)), host: [...hosts].filter((name) => settings[name] !== undefined) }
}
