// The adapter of a flat entity: one record is one row, one call creates it, and one call changes it.
import type {
  EntityAdapter,
  Mapping,
  NativeRequest,
  NativeResponse,
  ReadCall,
  Recovery,
  Write,
  WriteCall,
  Written,
} from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { ifFound } from './errors.ts'
import type { FieldTable } from './table.ts'

/** One call that writes a record. Its response has the record, at `rowIn`. */
interface Sent<Row> {
  request: NativeRequest
  recovery: Recovery<Row>
}
type Created<E extends EntityType, Row> = Write<E> & {
  send(call: WriteCall, record: UnifiedRecord<E>): Sent<Row> | Promise<Sent<Row>>
}
type Updated<E extends EntityType, Row> = Write<E> & {
  /** Nothing is sent where nothing would change. */
  send(call: WriteCall, current: Row, record: UnifiedRecord<E>): Sent<Row> | undefined
}
type Adapter<E extends EntityType, Row, At> = EntityAdapter<E, Row, At>

type Mapped<E extends EntityType, Row> =
  | { table: FieldTable<UnifiedRecord<E>, Row>; toUnified?: undefined }
  | { table?: FieldTable<UnifiedRecord<E>, Row>; toUnified: EntityAdapter<E, Row>['toUnified'] }
type FlatEntity<E extends EntityType, Row, At> = Mapped<E, Row> &
  Omit<Adapter<E, Row, At>, 'toUnified' | 'create' | 'update'> & {
    /** The call that reads one record; undefined for an id that no record can have. Without it, and without `get`, none. */
    one?(call: ReadCall, id: string): NativeRequest | undefined
    /** The row in the response of a call about one record; the whole body by default. */
    rowIn?(response: NativeResponse): Row | undefined
    /** Declared by creates and updates together, besides the table. */
    write?: Write<E>
    create?: Created<E, Row> | NonNullable<Adapter<E, Row, At>['create']>
    update?: Updated<E, Row> | NonNullable<Adapter<E, Row, At>['update']>
  }

export function flatEntity<E extends EntityType, Row, At>(
  type: E,
  { table, toUnified, one, rowIn = ({ body }) => body, write, create, update, ...given }: FlatEntity<E, Row, At>,
): Adapter<E, Row, At> {
  const { id } = given
  const common = declared<E>((table?.write ?? {}) as Write<E>, write ?? {})
  const unified = (row: Row, mapping: Mapping) => table!.read(row, id(row), mapping) as UnifiedRecord<E>
  const send = async (call: WriteCall, { request, recovery }: Sent<Row>) => {
    const row = await call.write<Row>(type, { request, read: (response) => rowIn(response)!, recovery })
    return { id: id(row), row }
  }
  const creating =
    (declaration: Created<E, Row>) =>
    async (call: WriteCall, record: UnifiedRecord<E>): Promise<Written<Row>> =>
      send(call, await declaration.send(call, record))
  const changing =
    (declaration: Updated<E, Row>) =>
    async (call: WriteCall, current: Row, record: UnifiedRecord<E>): Promise<Written<Row>> => {
      const sent = declaration.send(call, current, record)
      return sent ? send(call, sent) : { id: id(current), row: current }
    }
  const get = async (call: ReadCall, wanted: string) => {
    const request = one?.(call, wanted)
    const response = request && (await ifFound(call.read(request)))
    return response && rowIn(response)
  }
  return {
    toUnified: toUnified ?? unified,
    ...(one && { get }),
    ...given,
    ...(create && { create: { ...declared(common, create), run: 'run' in create ? create.run : creating(create) } }),
    ...(update && {
      update: {
        ...('run' in update ? update : {}),
        ...declared(common, update),
        run: 'run' in update ? update.run : changing(update),
      },
    }),
  }
}

const tables = ['fields', 'longest', 'notStored', 'values'] as const
/** Both declarations; in the tables the entries of both. */
function declared<E extends EntityType>(common: Write<E>, own: Write<E> & { send?: unknown; run?: unknown }): Write<E> {
  const { send: _, run: __, ...more } = own
  const merged = tables.flatMap((name) => (more[name] ? [[name, { ...common[name], ...more[name] }]] : []))
  const requires = common.requires && more.requires ? { requires: [...common.requires, ...more.requires] } : {}
  return { ...common, ...more, ...Object.fromEntries(merged), ...requires }
}
