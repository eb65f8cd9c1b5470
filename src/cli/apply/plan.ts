// A plan: what differs between a configuration file and a service, one step per object.
import { isDeepStrictEqual } from 'node:util'
import type { EndpointRules } from '../../deliveries/endpoint-faults.ts'
import type { Manage } from '../command.ts'
import type { ConfigurationFile, Fault } from './file.ts'
import { member } from './path.ts'
import type { SecretSource } from './schema.ts'

export interface Change {
  field: string
  before?: unknown
  after?: unknown
}
/** What the service returned for something new. */
export interface Made {
  id: string
  secret?: string // shown once
}
export interface Step {
  workspace: string
  kind: string
  name: string
  id?: string
  /** `extra`: it exists, and is not in the file. */
  action: 'create' | 'change' | 'remove' | 'unchanged' | 'extra'
  changes: Change[]
  pointer?: string // into the file
  note?: string
  run?(): Promise<Made | undefined>
}
export interface Planning {
  manage: Manage
  file: ConfigurationFile
  prune: boolean
  rotateSecrets: boolean
  onlyPlans: boolean
  egress: EndpointRules['egress'] // as far as it is known here
  readSecret(source: SecretSource): string | undefined
  steps: Step[]
  faults: Fault[]
}
/** A workspace or an account, in the file and in the management API. */
export interface Place {
  workspace: string // name
  pointer: string
  exists: boolean
  path(): string // fails if the workspace could not be created
}

/** A step that depends on one that failed. */
export class NotDone extends Error {}

export const pointerTo = (base: string, ...steps: (string | number)[]): string =>
  [base, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
export const sorted = (list: readonly string[] | undefined): string[] | undefined => list && [...list].sort()

/** What a file has of an object: its settings, in the order of their schema. */
export const settingsIn = <P extends object>(schema: P, found: object): Record<string, unknown> =>
  defined(Object.fromEntries(['id', ...Object.keys(schema)].map((name) => [name, (found as Settings)[name]])))
/** Without what is undefined. */
export const defined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<T>

export type Settings = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Objects are compared member by member, lists as a whole. */
export function changesBetween(before: unknown, after: unknown, field = ''): Change[] {
  if (isDeepStrictEqual(before, after)) return []
  const hasMembers = [before, after].some((value) => isObject(value) && Object.keys(value).length > 0)
  const isComparable = [before, after].every((value) => value === undefined || isObject(value))
  if (!hasMembers || !isComparable) return [{ field, before, after }]
  const members = [before, after].map((value) => (value ?? {}) as Settings)
  const names = new Set(members.flatMap((value) => Object.keys(value)))
  return [...names].flatMap((name) => changesBetween(members[0]?.[name], members[1]?.[name], member(field, name)))
}

export interface Entry {
  id?: string // in the file
  name: string
  pointer: string
  settings: Settings
  initial: Settings // what is not listed when it is created: its name, and defaults
}
export interface Found {
  id: string
  name: string
  settings: Settings
}
export interface Collection<E extends Entry> {
  kind: string
  entries: readonly E[]
  found: readonly Found[]
  create(entry: E): Promise<Made>
  change(id: string, entry: E, changes: readonly Change[]): Promise<unknown>
  remove(id: string): Promise<unknown>
}

/** Objects that are found by their name, or by an id in the file. Returns the id of each entry, once it has one. */
export function planCollection<E extends Entry>(
  { steps, faults, prune }: Planning,
  { workspace }: Place,
  { kind, entries, found, create, change, remove }: Collection<E>,
): (() => string)[] {
  const taken = new Set(entries.flatMap(({ id }) => id ?? []))
  const ids = entries.map((entry) => {
    const { id, name, pointer, settings, initial } = entry
    const candidates = found.filter((one) =>
      id === undefined ? one.name === name && !taken.has(one.id) : one.id === id,
    )
    const [match] = candidates
    for (const candidate of candidates) taken.add(candidate.id)
    const step = { workspace, kind, name, pointer }
    if (id !== undefined && !match)
      faults.push({
        pointer: pointerTo(pointer, 'id'),
        message: `is no ${kind} of ${workspace}. Remove id to create one`,
      })
    else if (candidates.length > 1)
      faults.push({
        pointer,
        message: `is the name of several (${candidates.map((one) => one.id).join(', ')}). Add the id of the one that is meant`,
      })
    else if (match) {
      const changes = changesBetween(match.settings, settings)
      const run = async () => void (await change(match.id, entry, changes))
      steps.push(
        changes.length === 0
          ? { ...step, id: match.id, action: 'unchanged', changes }
          : { ...step, id: match.id, action: 'change', changes, run },
      )
    } else {
      const changes = changesBetween(initial, settings).map(({ field, after }) => ({ field, after }))
      let made: Made | undefined
      steps.push({
        ...step,
        action: 'create',
        changes,
        run: async () => {
          made = await create(entry)
          return made
        },
      })
      return () => {
        if (!made) throw new NotDone(`the ${kind} ${name} was not created`)
        return made.id
      }
    }
    return () => match?.id as string
  })
  for (const { id, name } of found)
    if (!taken.has(id)) steps.push(extra({ workspace, kind, name, id }, prune, () => remove(id)))
  return ids
}

/** Something that exists and is not in the file: it stays, unless it is pruned. */
export const extra = (
  step: Pick<Step, 'workspace' | 'kind' | 'name' | 'id'>,
  prune: boolean,
  remove?: () => Promise<unknown>,
): Step =>
  prune && remove
    ? { ...step, action: 'remove', changes: [], run: async () => void (await remove()) }
    : { ...step, action: 'extra', changes: [] }

/** Settings that always exist: they are replaced as a whole. */
export function planSettings(
  { steps }: Planning,
  { workspace }: Place,
  step: Pick<Step, 'kind' | 'name' | 'pointer'>,
  [before, after]: readonly [unknown, unknown],
  change: () => Promise<unknown>,
): void {
  const changes = changesBetween(before, after)
  steps.push(
    changes.length === 0
      ? { ...step, workspace, action: 'unchanged', changes }
      : { ...step, workspace, action: 'change', changes, run: async () => void (await change()) },
  )
}
