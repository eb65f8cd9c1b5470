import type { Choice } from '../../components/field.tsx'
import type { Account } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { ExploredPage } from '../explorer/responses.ts'

/** The locations of an account. Undefined if they are not wanted, cannot be read, or are too many for a select. */
export function useLocations(account: Account, wanted: boolean): Choice[] | undefined {
  const { api } = useWorkspace()
  const records = `${api('accounts', account.id, 'explorer', 'location', 'records')}?pageSize=100`
  const { data } = useData<ExploredPage>(wanted && account.state === 'active' ? records : undefined)
  if (!data || data.cursor !== undefined) return undefined
  return data.data.flatMap(({ id, record }) => (record ? { value: id, label: `${String(record.name)} (${id})` } : []))
}
