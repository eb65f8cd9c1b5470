// What a person must tell to connect an account, in the platform's own words.
import type { DescribePlatformsAnswer } from '../../../../client/src/generated/manage.ts'
import { type Loaded, useData } from '../../use-data.ts'

export type Connectable = DescribePlatformsAnswer['data'][number]
export type ConnectWay = Connectable['auth'][number]
export type ConnectField = Connectable['settings'][number]

export function useConnectable(): Loaded<Connectable[]> {
  const { data, put, ...rest } = useData<DescribePlatformsAnswer>('/platforms')
  return { ...rest, data: data?.data, put: (platforms) => put({ data: platforms }) }
}

/** Settings a form asks for: what this way needs is required, what a region stands for is not asked beside it. */
export function askedSettings({ settings, regions }: Connectable, way: ConnectWay | undefined): ConnectField[] {
  const regional = new Set(regions.flatMap((region) => Object.keys(region.settings)))
  return settings.filter(({ name }) => !regional.has(name)).map((field) => (way?.asked.includes(field.name) ? { ...field, optional: false } : { ...field, optional: true }))
}

/** What was entered for these fields, without what is empty. */
export const filled = (values: Record<string, string>, fields: readonly ConnectField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''] as const).filter(([, value]) => value.trim() !== ''))
