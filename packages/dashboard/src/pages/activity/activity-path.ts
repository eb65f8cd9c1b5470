import { timesOf } from '../../components/period.tsx'
import type { Query } from '../../use-query.ts'

const filters = ['search', 'status', 'credentialId', 'platform', 'entityType', 'accountId', 'record'] as const
export const activityFilter = (query: Query) => ({
  ...Object.fromEntries(filters.map((name) => [name, query.get(name)])),
  ...timesOf(query),
})
