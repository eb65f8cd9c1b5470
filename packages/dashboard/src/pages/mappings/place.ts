// Where mappings belong: to an account, or to its platform and workspace, which share them with all their accounts.
import { readable } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Mapping } from './rules.ts'

const ofAccount = {
  list: 'listMappings',
  get: 'getMapping',
  change: 'changeMapping',
  delete: 'deleteMapping',
  versions: 'listMappingVersions',
} as const
const ofWorkspace = {
  list: 'listSharedMappings',
  get: 'getSharedMapping',
  change: 'changeSharedMapping',
  delete: 'deleteSharedMapping',
  versions: 'listSharedMappingVersions',
} as const

export interface MappingPlace {
  accountId: string
  shared: boolean
  /** Address of a page: the list, or one mapping. */
  page(...parts: string[]): string
  operations: typeof ofAccount | typeof ofWorkspace
}

/** Shared mappings are shown below an account, too: its records are the samples of the preview. */
export function useMappingPlace(accountId: string, shared: boolean): MappingPlace {
  const workspace = useWorkspace()
  return {
    accountId,
    shared,
    page: (...parts) => workspace.page('mappings', accountId, ...(shared ? ['shared'] : []), ...parts),
    operations: shared ? ofWorkspace : ofAccount,
  }
}

/** Says which accounts a mapping or a default is for. */
export function useAppliesTo(): (owner: Pick<Mapping, 'scope' | 'platform'>) => string {
  const platforms = usePlatforms()
  return ({ scope, platform = '' }) =>
    scope === 'account'
      ? 'This account'
      : scope === 'workspace'
        ? 'All accounts'
        : `All ${platforms.data?.find((one) => one.platform === platform)?.name ?? readable(platform)} accounts`
}
