// The platforms of this service, requested once and used by filters, forms and the support matrix.
import type { EntitySupport, PlatformSupport } from '../../client/src/generated/records.ts'
import type { EntityType, Vertical } from './types.ts'
import { type Loaded, usePublicPage } from './use-data.ts'

export type { EntitySupport }
export type Platform = Omit<PlatformSupport, 'verticals' | 'entities'> & {
  verticals: Vertical[]
  entities: Partial<Record<Vertical, Partial<Record<EntityType, EntitySupport>>>>
}

export function usePlatforms(): Loaded<Platform[]> {
  const { data, put, ...rest } = usePublicPage('/platforms')
  return { ...rest, data: data?.data, put: (platforms) => put({ data: platforms }) }
}
