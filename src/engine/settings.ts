// Checks the settings of an account against the connector's schema.
import { Type } from 'typebox'
import type { Connector, Template } from '../contract/connector.ts'
import type { Violation } from '../contract/errors.ts'
import { createValidator } from '../contract/validation.ts'
import { namesIn } from './outbound/template.ts'

const needless = (connector: Connector, auth: string): readonly string[] =>
  connector.auth.find(({ kind }) => kind === auth)?.withoutSettings ?? []

/** How the platform reports settings of an account with this authentication; undefined if it does not. */
export const discoverOf = (connector: Connector, auth: string): Connector['discover'] =>
  needless(connector, auth).length > 0 ? undefined : connector.discover

/** Whether a platform can refuse a setting: it never sees those that only mapping uses. */
export const canBeRefused = ({ settings }: Connector, name: string): boolean =>
  (settings?.properties[name] as { local?: true } | undefined)?.local !== true

/** With `partial`, settings may be missing: the platform can supply them later. */
export function settingViolations(
  connector: Connector,
  auth: string,
  settings: Record<string, string>,
  { partial = false } = {},
): Violation[] {
  const schema = connector.settings ?? Type.Object({})
  const required = ((schema.required ?? []) as readonly string[]).filter(
    (name) => !partial && !needless(connector, auth).includes(name),
  )
  const unknown = Object.keys(settings).filter((name) => !Object.hasOwn(schema.properties, name))
  const violations = createValidator({ ...schema, required }).violations(settings)
  return [
    ...unknown.map((name) => ({ pointer: `/settings/${name}`, message: `is not a setting of ${connector.name}` })),
    ...violations.map(({ pointer, message }) => ({ pointer: `/settings${pointer}`, message })),
  ]
}

/** The defaults of settings; "{name}" in them is another setting. */
export const settingDefaults = ({ settings }: Connector): Record<string, Template> =>
  Object.fromEntries(
    Object.entries(settings?.properties ?? {}).flatMap(([name, schema]) => {
      const { default: value } = schema as { default?: unknown }
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )

/** Whether an account with these settings is in a test environment of its platform. */
export const isTest = ({ regions = [] }: Connector, settings: Readonly<Record<string, string>>): boolean =>
  regions.some(
    ({ test, settings: regionSettings }) =>
      test &&
      Object.keys(regionSettings).some((name) => settings[name] !== undefined) &&
      Object.entries(regionSettings).every(([name, value]) => (settings[name] ?? value) === value),
  )

const testRegions = ({ regions = [] }: Connector) => regions.filter(({ test }) => test)
/** Why an account with these settings must not be in a test workspace. */
export function testFault(
  connector: Connector,
  settings: Readonly<Record<string, string>>,
): { message: string; names: string[] } | undefined {
  if (isTest(connector, settings)) return undefined
  const regions = testRegions(connector)
  const names = [...new Set(regions.flatMap((region) => Object.keys(region.settings)))]
  if (regions.length === 0)
    return {
      names,
      message: `${connector.name} has no test environment, and a test workspace reaches nothing else. Connect the account in another workspace.`,
    }
  const choices = regions.map(
    (region) =>
      `${region.label} (${Object.entries(region.settings)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')})`,
  )
  return {
    names,
    message: `A test workspace reaches test environments only. Of ${connector.name} that is ${choices.join(' or ')}.`,
  }
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
