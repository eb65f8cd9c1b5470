// The fields of the connect form, with the platform's own labels.
import type { Answer } from '../../manage.ts'
import { type Loaded, useManage } from '../../use-data.ts'

export type Connectable = Answer<'describePlatforms'>['data'][number]
export type AuthMethod = Connectable['auth'][number]
export type ConnectField = Connectable['settings'][number]

export function useConnectable(): Loaded<Connectable[]> {
  const { data, put, ...rest } = useManage('describePlatforms')
  return { ...rest, data: data?.data, put: (platforms) => put({ data: platforms }) }
}

/** The setting of an application, not of an account: the scopes that owners are asked to approve. */
export const isRequestedScopes = (name: string): boolean => name === 'scopes'
export const scopesField = ({ settings }: Connectable): ConnectField | undefined =>
  settings.find(({ name }) => isRequestedScopes(name))

/** Settings that a form asks for. Those that the method needs are required; those that a region sets are left out. */
export function askedSettings({ settings, regions }: Connectable, method: AuthMethod | undefined): ConnectField[] {
  const regional = new Set(regions.flatMap((region) => Object.keys(region.settings)))
  return settings
    .filter(({ name }) => !regional.has(name) && !isRequestedScopes(name))
    .map((field) => (method?.asked.includes(field.name) ? { ...field, optional: false } : { ...field, optional: true }))
}

/** Two entries of which one is for tests are not regions of the world. */
export const regionWord = (regions: Connectable['regions']): string =>
  regions.length === 2 && regions.some(({ test }) => test) ? 'Environment' : 'Region'

/** The values of these fields, without empty ones. */
export const filled = (values: Record<string, string>, fields: readonly ConnectField[]): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name }) => [name, values[name] ?? ''] as const).filter(([, value]) => value.trim() !== ''),
  )
