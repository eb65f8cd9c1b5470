// Mappings of a workspace or an account, and their defaults, which name mappings.
import { allOf } from '../manage.ts'
import { extra, type Made, type Place, type Planning, planCollection, pointerTo } from './plan.ts'
import type { DefaultConfiguration, MappingConfiguration } from './schema.ts'

export interface Mapping extends MappingConfiguration {
  id: string
  accountId?: string
}
export interface MappingDefault extends Omit<DefaultConfiguration, 'mapping'> {
  setBy: string
  mappingId?: string
  name?: string
}
/** Instead of the name of a mapping: nothing is inherited. */
export const builtIn = 'built-in'

interface Owner {
  accountId?: string
  platform?: string // of the account, or of the mapping
}
type Use = Pick<MappingConfiguration, 'entityType' | 'direction'>
interface Known extends Owner, Use {
  name: string
  id(): string
  knownId?: string // absent: it is created
}
/** The mappings of a workspace and of its accounts, as far as they were read or are declared. */
export type Mappings = Known[]

const titleOf = ({ name, entityType, direction, platform }: MappingConfiguration, account?: string) =>
  [`${direction} ${entityType} "${name}"`, ...(account ? [`of ${account}`] : platform ? [`of ${platform}`] : [])].join(
    ' ',
  )

export const readMappings = async (manage: Planning['manage'], place: Place): Promise<Mapping[]> =>
  place.exists ? allOf<Mapping>(manage, `${place.path()}/mappings`) : []
export const readDefaults = async (manage: Planning['manage'], place: Place): Promise<MappingDefault[]> =>
  place.exists ? (await manage.call<{ data: MappingDefault[] }>('GET', `${place.path()}/mapping-defaults`)).data : []

/** Without a list in the file, what exists is only read, for defaults that name it. */
export async function planMappings(
  planning: Planning,
  place: Place,
  declared: readonly MappingConfiguration[] | undefined,
  { accountId }: Owner = {},
): Promise<Mappings> {
  const { manage } = planning
  const found = await readMappings(manage, place)
  const others = found.map((one) => ({ ...one, accountId, id: () => one.id, knownId: one.id }))
  if (!declared) return others
  const settingsOf = ({ name, rules }: MappingConfiguration) => ({ name, rules })
  const pathOf = (id: string) => `${place.path()}/mappings/${encodeURIComponent(id)}`
  const ids = planCollection(planning, place, {
    kind: 'mapping',
    entries: declared.map((entry, index) => ({
      id: entry.id,
      name: titleOf(entry, accountId),
      pointer: pointerTo(place.pointer, 'mappings', index),
      settings: settingsOf(entry),
      initial: { name: entry.name },
      entry,
    })),
    found: found.map((one) => ({ id: one.id, name: titleOf(one, accountId), settings: settingsOf(one) })),
    create: ({ entry: { id: _, ...body } }) => manage.call<Made>('POST', `${place.path()}/mappings?unique=true`, body),
    change: (id, { settings }) => manage.call('PUT', pathOf(id), settings),
    remove: (id) => manage.call('DELETE', pathOf(id)),
  })
  const own = declared.map((entry, index) => {
    const fixed = entry.id === undefined ? undefined : found.find((one) => one.id === entry.id)
    for (const field of ['entityType', 'direction', 'platform'] as const)
      if (fixed && fixed[field] !== entry[field])
        planning.faults.push({
          pointer: pointerTo(place.pointer, 'mappings', index, field),
          message: `of a mapping cannot be changed; it is ${fixed[field] ?? 'not set'}. Remove id to create another mapping`,
        })
    const match = found.find((one) => (entry.id ? one.id === entry.id : titleOf(one) === titleOf(entry)))
    return { ...entry, accountId, id: ids[index] as () => string, knownId: match?.id }
  })
  return [...own, ...others.filter(({ knownId }) => !own.some((one) => one.knownId === knownId))]
}

/** Its own before those of its platform and of the workspace. */
function namedBy(reference: string, { entityType, direction }: Use, { accountId, platform }: Owner, known: Mappings) {
  const owners: Owner[] = [...(accountId ? [{ accountId }] : []), ...(platform ? [{ platform }] : []), {}]
  const fitting = known.filter((one) => one.entityType === entityType && one.direction === direction)
  return owners
    .flatMap((owner) =>
      fitting.filter(
        (one) =>
          one.accountId === owner.accountId && (owner.accountId !== undefined || one.platform === owner.platform),
      ),
    )
    .find(({ name, knownId }) => name === reference || knownId === reference)
}

export async function planDefaults(
  planning: Planning,
  place: Place,
  declared: readonly DefaultConfiguration[],
  known: Mappings,
  account: Owner = {},
): Promise<void> {
  const { manage, steps, faults, prune } = planning
  const { workspace } = place
  const { accountId } = account
  const found = (await readDefaults(manage, place)).filter(({ setBy }) => !accountId || setBy === 'account')
  const kind = 'mapping default'
  const titleOfDefault = ({ entityType, direction, platform }: Omit<DefaultConfiguration, 'mapping'>) =>
    [`${direction} ${entityType}`, ...(accountId ? [`of ${accountId}`] : platform ? [`of ${platform}`] : [])].join(' ')
  const pathOf = ({ entityType, direction, platform }: Omit<DefaultConfiguration, 'mapping'>) =>
    `${place.path()}/mapping-defaults/${entityType}/${direction}${
      platform && !accountId ? `?platform=${encodeURIComponent(platform)}` : ''
    }`
  for (const [index, entry] of declared.entries()) {
    const pointer = pointerTo(place.pointer, 'mappingDefaults', index)
    const name = titleOfDefault(entry)
    const owner = accountId ? account : { platform: entry.platform }
    const target = entry.mapping === builtIn ? undefined : namedBy(entry.mapping, entry, owner, known)
    if (!target && entry.mapping !== builtIn) {
      const message = `names no ${entry.direction} mapping of ${entry.entityType} that exists or is in the file; use its name, or ${builtIn}`
      faults.push({ pointer: pointerTo(pointer, 'mapping'), message })
      continue
    }
    const current = found.find((one) => titleOfDefault(one) === name)
    const step = { workspace, kind, name, pointer }
    if (current && current.mappingId === target?.knownId && (target === undefined || target.knownId !== undefined)) {
      steps.push({ ...step, action: 'unchanged', changes: [] })
      continue
    }
    const before = current && (current.name ?? builtIn)
    steps.push({
      ...step,
      action: current ? 'change' : 'create',
      changes: [{ field: 'mapping', before, after: entry.mapping }],
      run: async () => void (await manage.call('PUT', pathOf(entry), { mappingId: target?.id() ?? builtIn })),
    })
  }
  const names = new Set(declared.map(titleOfDefault))
  for (const one of found)
    if (!names.has(titleOfDefault(one)))
      steps.push(extra({ workspace, kind, name: titleOfDefault(one) }, prune, () => manage.call('DELETE', pathOf(one))))
}
