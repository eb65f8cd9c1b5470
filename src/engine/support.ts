// The support matrix, derived from the connectors: what an adapter has is what the platform offers, so the matrix is
// always correct.

import type { Static } from 'typebox'
import type { AccountView, Connector, EntityAdapter, Requirement, Write } from '../contract/connector.ts'
import { type EntityType, entityTypes, type Pointer, type Vertical } from '../contract/entity.ts'
import type { Warning } from '../contract/errors.ts'
import type {
  entitySupport as entitySupportSchema,
  platformSupport as platformSupportSchema,
} from '../contract/records/support.ts'
import { flavorOf } from '../contract/validation.ts'
import type { Account } from '../store/store.ts'
import { clauseOf, isConditional, settled } from './conditions.ts'

type Read<T> = T extends readonly (infer Entry)[]
  ? readonly Read<Entry>[]
  : T extends object
    ? { readonly [K in keyof T]: Read<T[K]> }
    : T
/** As callers read it, before the custom fields of an account. */
export type EntitySupport = Omit<Read<Static<typeof entitySupportSchema>>, 'custom' | 'requiresWhen'> & {
  readonly requiresWhen: readonly (Requirement & { when: string })[]
}
export type PlatformSupport = Omit<Read<Static<typeof platformSupportSchema>>, 'verticals' | 'entities'> & {
  readonly verticals: readonly Vertical[]
  readonly entities: Partial<Record<Vertical, Partial<Record<EntityType, EntitySupport>>>>
}
export function adapterOf(
  connector: Connector,
  vertical: Vertical,
  entityType: EntityType,
): EntityAdapter<EntityType> | undefined {
  const adapter = connector.entities[entityType] as EntityAdapter<EntityType> | undefined
  if (!adapter || !connector.verticals.includes(vertical) || !flavorOf(vertical, entityType)) return undefined
  return adapter.verticals && !adapter.verticals.includes(vertical) ? undefined : adapter
}

function entitySupport(adapter: EntityAdapter<EntityType>, vertical: Vertical, entityType: EntityType): EntitySupport {
  const inFlavor = (pointer: string) =>
    flavorOf(vertical, entityType)?.definition.only[pointer as Pointer]?.includes(vertical) !== false
  const { create, update, list } = adapter
  const write: Write<EntityType> = create ?? update ?? {}
  const own = <T>(table: Readonly<Record<string, T>> = {}) =>
    Object.entries(table).filter(([pointer]) => inFlavor(pointer))
  const { writable } = flavorOf(vertical, entityType)?.definition ?? {}
  return {
    read: true,
    write: Boolean(writable && create),
    update: Boolean(writable && update),
    pageLimit: list.pageLimit,
    updatedAfter: list.updatedAfter,
    ...(list.updatedAfter === 'none' ? {} : { stampPrecision: list.stampPrecision ?? 'milliseconds' }),
    ...(list.complete?.fields ? { details: list.complete.fields.filter(inFlavor) } : {}),
    ...requirementsIn(
      [...(write.requires ?? []).map((pointer) => ({ pointer })), ...(write.requiresWhen ?? [])].filter(({ pointer }) =>
        inFlavor(pointer),
      ),
      (pointer) => (inFlavor(pointer) ? undefined : false),
    ),
    values: Object.fromEntries(own(write.values).map(([pointer, { only }]) => [pointer, only])),
    longest: Object.fromEntries(own(write.longest)),
    notStored: own(write.notStored).map(([pointer, what]) =>
      what === true ? pointer : `${pointer} (${what.join(', ')})`,
    ),
    refused: Object.fromEntries(own(write.refused)),
    derived: (write.derived ?? []).filter(inFlavor),
    ...(adapter.sums ? { sums: adapter.sums } : {}),
    search: { by: adapter.search?.by ?? [], newestFirst: adapter.search?.newestFirst ?? false },
    customPlaces: (writable && (create ?? update) && adapter.custom?.fields) || {},
  }
}

/** The fields that are required, always or under a condition. `known` says whether a field or setting is there. */
function requirementsIn(
  all: readonly Requirement[],
  known: (pointer: Pointer) => boolean | undefined,
): Pick<EntitySupport, 'requires' | 'requiresWhen'> {
  const left = all.flatMap((requirement) => settled(requirement, known) ?? [])
  const always = [...new Set(left.filter((one) => !isConditional(one)).map(({ pointer }) => pointer))]
  return {
    requires: always,
    requiresWhen: left
      .filter((one) => isConditional(one) && !always.includes(one.pointer))
      .map((one) => ({ ...one, when: clauseOf(one) })),
  }
}

/** A connector does not change, and a feed looks at its support with every hint. */
const supports = new WeakMap<Connector, PlatformSupport>()
export function platformSupport(connector: Connector): PlatformSupport {
  const support = supports.get(connector) ?? supportOf(connector)
  supports.set(connector, support)
  return support
}
function supportOf(connector: Connector): PlatformSupport {
  const byVertical = connector.verticals.map((vertical) => {
    const offered = entityTypes.flatMap((entityType) => {
      const adapter = adapterOf(connector, vertical, entityType)
      return adapter ? [[entityType, entitySupport(adapter, vertical, entityType)] as const] : []
    })
    return [vertical, Object.fromEntries(offered)] as const
  })
  const { id, name, docs, apiVersion, verticals, limit, concurrency, dailyLimit } = connector
  const calls = dailyLimit?.calls
  const dailyQuota = calls === undefined ? undefined : typeof calls === 'number' ? { calls } : { plans: calls.limits }
  const entities = Object.fromEntries(byVertical)
  const native = { origin: connector.origins.api, settings: Object.keys(connector.settings?.properties ?? {}) }
  return {
    platform: id,
    name,
    docs,
    apiVersion,
    verticals,
    rateLimit: limit,
    concurrency,
    dailyQuota,
    native,
    entities,
  }
}

/** An account without known scopes may do everything. */
function isGranted({ settings: { scope: granted } }: AccountView, scope: string): boolean {
  return !granted || granted.split(/[\s,]+/).includes(scope)
}
/** Whether the account's granted scopes allow the operation. */
export function allowed(adapter: EntityAdapter<EntityType>, view: AccountView, operation: 'read' | 'write'): boolean {
  return (adapter.scopes?.[operation] ?? []).every((scope) => isGranted(view, scope))
}
/** The warnings about fields that these rows lack because a scope was not granted. */
export function lacks(adapter: EntityAdapter<EntityType>, view: AccountView, rows: readonly unknown[]): Warning[] {
  return Object.entries(adapter.scopes?.lacking ?? {}).flatMap(([scope, { message, pointer, isMissing }]) =>
    isGranted(view, scope) || (isMissing && !(rows.length > 0 && rows.every(isMissing)))
      ? []
      : [{ code: 'scope_missing' as const, pointer, message: `${message} Connect the account again with ${scope}.` }],
  )
}
export function accountSupport(
  account: Account,
  connector: Connector,
  view: AccountView,
): Partial<Record<EntityType, EntitySupport>> {
  const support = platformSupport(connector).entities[account.vertical] ?? {}
  const offered = Object.entries(support).map(([entityType, entry]) => {
    const adapter = connector.entities[entityType as EntityType] as EntityAdapter<EntityType>
    const may = { read: allowed(adapter, view, 'read'), write: allowed(adapter, view, 'write') }
    const requirements = [...entry.requires.map((pointer) => ({ pointer: pointer as Pointer })), ...entry.requiresWhen]
    const setting = (pointer: Pointer) =>
      pointer.startsWith('/settings/') ? Boolean(view.settings[pointer.slice('/settings/'.length)]?.trim()) : undefined
    return [
      entityType,
      {
        ...entry,
        ...requirementsIn(requirements, setting),
        read: entry.read && may.read,
        write: entry.write && may.write,
        update: entry.update && may.write,
      },
    ]
  })
  return Object.fromEntries(offered)
}
