// The platforms this service knows: asked once, used by filters, forms and the matrix.
import type { EntityType, Vertical } from './types.ts'
import { type Loaded, useData } from './use-data.ts'

export interface EntitySupport {
  read: boolean
  write: boolean
  update: boolean
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  requires: string[]
  notStored: string[]
}
export interface Platform {
  platform: string
  name: string
  docs: string
  verticals: Vertical[]
  rateLimit: { requests: number; seconds: number }[]
  entities: Partial<Record<Vertical, Partial<Record<EntityType, EntitySupport>>>>
}

export function usePlatforms(): Loaded<Platform[]> {
  const { data, put, ...rest } = useData<{ data: Platform[] }>('/platforms', { open: true })
  return { ...rest, data: data?.data, put: (platforms) => put({ data: platforms }) }
}
