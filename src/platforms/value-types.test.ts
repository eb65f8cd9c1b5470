// A value that a platform sends in another type than documented is converted, or a warning names the record. Null in the
// place of a value, an object or an entry of a list is nothing there. No record is left out. Every value of every row of
// the simulators is changed in turn.
import { describe, expect, it } from 'vitest'
import { createHarness } from '../conformance/harness.ts'
import type { AccountView, Connector, EntityAdapter } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import type { Warning } from '../contract/errors.ts'
import { flavorOf } from '../contract/validation.ts'
import { toUnified } from '../engine/read/normalize.ts'
import { connectors } from './registry.ts'
import { simulators } from './simulators.ts'

/** Platform -> value -> why it cannot have another type. */
const ownRow = 'the connector itself puts it into the row'
const waivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bigcommerce: { 'payment /tender: text as a number': ownRow },
  'lightspeed-x': {
    'product /shop/taxExclusive: an object for a scalar': ownRow,
    'product /shop: null for an object': ownRow,
  },
  loyverse: { 'product /item: null for an object': ownRow },
  shopify: { 'payment /order: null for an object': ownRow, 'refund /order: null for an object': ownRow },
  square: {
    'order /location_timezone: an object for a scalar': ownRow,
    'order /location_timezone: text as a number': ownRow,
    'payment /location_timezone: an object for a scalar': ownRow,
    'payment /location_timezone: text as a number': ownRow,
    'payment_method /name: an object for a scalar': ownRow,
    'payment_method /name: null for a value': ownRow,
    'product /item: null for an object': ownRow,
    'refund /location_timezone: an object for a scalar': ownRow,
    'refund /location_timezone: text as a number': ownRow,
  },
  woocommerce: {
    'location /settings/[]/id: an object for a scalar': 'the id of a setting is its name: it would be another setting',
    'product /product: null for an object': ownRow,
  },
}
/** One native field is tried in this many places: an order can have hundreds of lines. */
const mostTrials = 8

interface Sample {
  type: EntityType
  adapter: EntityAdapter<EntityType>
  row: unknown
  account: AccountView
}
/** The rows that the service maps when it lists everything, as the mapping gets them. */
async function samplesOf(connector: Connector): Promise<Sample[]> {
  const samples: Sample[] = []
  const entities = Object.fromEntries(
    Object.entries(connector.entities).map(([type, adapter]) => [
      type,
      {
        ...adapter,
        toUnified(row: unknown, mapping: { account: AccountView; warn(): void }) {
          samples.push({
            type: type as EntityType,
            adapter: adapter as EntityAdapter<EntityType>,
            row: JSON.parse(JSON.stringify(row)),
            account: mapping.account,
          })
          return (adapter as EntityAdapter<EntityType>).toUnified(row, mapping)
        },
      },
    ]),
  )
  const { id } = connector
  const harness = await createHarness({
    connectors: { [id]: { ...connector, entities } },
    simulators: { [id]: simulators[id]! },
    platform: id,
  })
  samples.length = 0
  try {
    for (const { vertical } of harness.tenants)
      for (const type of Object.keys(entities))
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const reply = await harness.call(
            'GET',
            `/unified/${harness.accountId(vertical)}/${type}?${cursor}`,
            undefined,
            {
              prefer: 'wait=60',
            },
          )
          const next = reply.body.pagination?.cursor
          cursor = next === undefined ? undefined : `cursor=${next}`
        }
  } finally {
    await harness.close()
  }
  return samples
}

type Change =
  | 'a number as text'
  | 'text as a number'
  | 'null for a list'
  | 'null for an object'
  | 'null for a value'
  | 'null for an element'
  | 'an object for a scalar'
interface Trial {
  change: Change
  pointer: string
  value: unknown
  same: unknown // the value of the documented type that means the same; undefined: it is not there
}
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

function trialsOf(row: unknown, pointer = ''): Trial[] {
  if (typeof row === 'object' && row !== null) {
    const inner = Object.entries(row).flatMap(([name, value]) => {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const nothing: Trial = { change: 'null for an element', pointer: at, value: null, same: undefined }
      return isList(row) ? [nothing, ...trialsOf(value, at)] : trialsOf(value, at)
    })
    if (pointer === '' || /\/\d+$/.test(pointer)) return inner
    return isList(row)
      ? [{ change: 'null for a list', pointer, value: null, same: [] }, ...inner]
      : [{ change: 'null for an object', pointer, value: null, same: undefined }, ...inner]
  }
  if (row === undefined || row === null) return []
  const any: Trial[] = [{ change: 'an object for a scalar', pointer, value: { unexpected: 1 }, same: row }]
  if (!/\/\d+$/.test(pointer)) any.push({ change: 'null for a value', pointer, value: null, same: undefined })
  if (typeof row === 'number') return [{ change: 'a number as text', pointer, value: String(row), same: row }, ...any]
  if (typeof row !== 'string') return any
  const exact = row.trim() !== '' && String(Number(row)) === row
  return [{ change: 'text as a number', pointer, value: exact ? Number(row) : 42, same: exact ? row : '42' }, ...any]
}

function mapped({ adapter, account, type }: Sample, row: unknown): { record?: UnifiedRecord; warnings: Warning[] } {
  const warnings: Warning[] = []
  const record = toUnified(adapter, row, flavorOf(account.vertical, type)!, account, warnings)
  return { ...(record && { record }), warnings }
}
/** The row with another value there. Only what leads to it is copied: cloning every row took a third of the time. */
function withValue(row: unknown, pointer: string, value: unknown): unknown {
  const [, name, rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? []
  if (name === undefined) return value
  const copy = (isList(row) ? [...row] : { ...(row as object) }) as Record<string, unknown>
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  if (rest !== '' || value !== undefined) copy[key] = withValue(copy[key], rest, value)
  else if (isList(copy)) copy.splice(Number(key), 1)
  else delete copy[key]
  return copy
}

function idOf({ adapter }: Sample, row: unknown): unknown {
  try {
    return adapter.id(row)
  } catch {
    return undefined
  }
}
// Such as "order /lines/[]/quantity: a number as text": every value whose change is neither converted nor reported.
function silentChanges(samples: readonly Sample[]): string[] {
  const silent = new Set<string>()
  const tried = new Map<string, number>()
  for (const sample of samples) {
    const { record, warnings } = mapped(sample, sample.row)
    const [usual, usualRecord] = [warnings.length, JSON.stringify(record)]
    for (const { change, pointer, value, same } of trialsOf(sample.row)) {
      const name = `${sample.type} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/[]')}: ${change}`
      const times = (tried.get(name) ?? 0) + 1
      tried.set(name, times)
      if (times > mostTrials) continue
      const changed = withValue(sample.row, pointer, value)
      // A page whose ids are not ids is not believed at all: see `shapes`.
      const usualId = idOf(sample, same === undefined ? sample.row : withValue(sample.row, pointer, same))
      if (silent.has(name) || idOf(sample, changed) !== usualId) continue
      const expected = mapped(sample, withValue(sample.row, pointer, same))
      const got = mapped(sample, changed)
      const told =
        got.record && got.warnings.length > usual && got.warnings.every(({ id }) => id === idOf(sample, changed))
      const isSame = JSON.stringify(got.record) === JSON.stringify(expected.record)
      // An entry of a list is never nothing: where the record would have had it, something is missing.
      const isMissing = change === 'null for an element' && JSON.stringify(got.record) !== usualRecord
      if (!got.record || !(told || (isSame && !isMissing)) || (same === undefined && !isSame)) silent.add(name)
    }
  }
  return [...silent].sort()
}

describe.each(Object.values(connectors).map((connector) => [connector.id, connector] as const))(
  '%s',
  (id, connector) => {
    it('converts values of another type, or reports them', async () => {
      const samples = await samplesOf(connector)
      expect(new Set(samples.map(({ type }) => type))).toEqual(new Set(Object.keys(connector.entities)))
      const usual = samples.flatMap((sample) => mapped(sample, sample.row).warnings)
      expect(usual.filter(({ message }) => message.includes('cannot be read as this field'))).toEqual([])
      expect(silentChanges(samples)).toEqual(Object.keys(waivers[id] ?? {}).sort())
    })
  },
)
