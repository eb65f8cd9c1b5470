// The platforms of this service, requested once and used by filters, forms and the support matrix.
import type { EntitySupport } from '../../client/src/generated/records.ts'
import type { Platform } from './types.ts'
import { type Loaded, usePublicPage } from './use-data.ts'

export type { EntitySupport, Platform }

export function usePlatforms(): Loaded<Platform[]> {
  const { data, put, ...rest } = usePublicPage('/platforms')
  return { ...rest, data: data?.data, put: (platforms) => put({ data: platforms }) }
}
