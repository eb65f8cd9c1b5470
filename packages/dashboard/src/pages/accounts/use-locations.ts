import type { Choice } from '../../components/field.tsx'
import type { Account } from '../../types.ts'
import { useManage } from '../../use-data.ts'

/** The locations of an account. Undefined if they are not wanted, cannot be read, or are too many for a select. */
export function useLocations(account: Account, wanted: boolean): Choice[] | undefined {
  const { data } = useManage(wanted && account.state === 'active' ? 'exploreRecords' : undefined, {
    path: { accountId: account.id, entityType: 'location' },
    query: { pageSize: 100 },
  })
  if (!data || data.cursor !== undefined) return undefined
  return data.data.flatMap(({ id, record }) => (record ? { value: id, label: `${String(record.name)} (${id})` } : []))
}
