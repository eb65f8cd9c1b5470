// The client: a service, its accounts, and their records.
import { createAuthentication } from './authentication.ts'
import { copyRecords, createChanges, type FetchChanges } from './changes.ts'
import { createMany } from './create-many.ts'
import { UnifiedError } from './error.ts'
import { createList } from './list.ts'
import { createTransport, type HttpRequest, type Send } from './transport.ts'
import type {
  AccountClient,
  AccountOptions,
  AnyRecord,
  CallOptions,
  ChangesOptions,
  Client,
  ClientOptions,
  CreateManyOptions,
  CreateOptions,
  DryRunOptions,
  EntityClient,
  EntityName,
  Found,
  ListOptions,
  Page,
  UpdateOptions,
} from './types.ts'

type Direction = 'read' | 'write'
type MappingKey = (direction: Direction, required?: boolean) => string | undefined
const json = { 'content-type': 'application/json' }

/** Throws unless the options have exactly one authentication method. Sends nothing before the first call. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const { mapped, send } = createAuthentication(options, transport)

  function account(id: string, { readMappingKey, writeMappingKey }: AccountOptions = {}): AccountClient {
    const path = `/unified/${encodeURIComponent(id)}`
    const keys = {
      read: readMappingKey ?? options.mappingKeys?.[id]?.read,
      write: writeMappingKey ?? options.mappingKeys?.[id]?.write,
    }
    const mappingKey: MappingKey = (direction, required = true) => {
      if (!mapped) return undefined
      if (required && !keys[direction])
        throw new UnifiedError(
          'mapping_key_required',
          400,
          `With access id and secret, a ${direction} of account "${id}" needs a ${direction} mapping key: give account() a ${direction}MappingKey, or createClient() mappingKeys.`,
        )
      return keys[direction]
    }
    // biome-ignore lint/suspicious/noExplicitAny: one implementation for all entities; Entities says what each holds
    const entity = (name: string): any => createEntity(send, `${path}/${encodeURIComponent(name)}`, mappingKey)
    const fetchChanges =
      ({ entityTypes, pageSize, signal }: ChangesOptions): FetchChanges =>
      async ({ cursor, wait }) => {
        const query = {
          cursor,
          entityType: cursor === undefined ? entityTypes?.join(',') : undefined, // a cursor fixes its entities
          pageSize: pageSize?.toString(),
          mappingKey: mappingKey('read'),
        }
        const preference = wait > 0 ? { wait } : {}
        return (await send({ method: 'GET', path: `${path}/changes`, query, ...common({ signal, ...preference }) }))
          .body
      }
    return {
      id,
      entity,
      changes: (wanted = {}) => createChanges(fetchChanges(wanted), wanted),
      changesStatus: async ({ signal } = {}) => {
        const query = { mappingKey: mappingKey('read') }
        return (await send({ method: 'GET', path: `${path}/changes/status`, query, signal })).body
      },
      copy(names, wanted) {
        const entityTypes = [names].flat() as EntityName[]
        const { signal } = wanted
        return copyRecords(
          { fetchChanges: fetchChanges({ ...wanted, entityTypes }), list: (name) => entity(name).list({ signal }) },
          entityTypes,
          wanted,
        )
      },
      product: entity('product'),
      order: entity('order'),
      customer: entity('customer'),
      category: entity('category'),
      employee: entity('employee'),
      time_entry: entity('time_entry'),
      describe: async ({ signal } = {}) => (await send({ method: 'GET', path, signal })).body,
    }
  }
  return {
    account,
    platforms: async ({ signal } = {}) => (await transport({ method: 'GET', path: '/platforms', signal })).body.data,
  }
}

const common = ({ signal, wait }: CallOptions, headers?: HttpRequest['headers']) => ({
  signal,
  headers: { ...headers, prefer: wait === undefined ? undefined : `wait=${wait}` },
})

function withEtag({ body, headers }: Awaited<ReturnType<Send>>) {
  const etag = headers.get('etag')
  return etag ? { ...body, etag } : body
}

function createEntity(send: Send, path: string, mappingKey: MappingKey): EntityClient<AnyRecord, AnyRecord> {
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

  async function create(record: AnyRecord, options: (CreateOptions | DryRunOptions) & { patient?: boolean } = {}) {
    const query = {
      mappingKey: mappingKey('write'),
      references: options.references,
      dryRun: options.dryRun ? String(options.dryRun) : undefined,
      onUnknown: options.dryRun ? undefined : options.onUnknown,
    }
    return withEtag(
      await send({
        method: 'POST',
        path,
        query,
        body: JSON.stringify(record),
        patient: options.patient,
        ...common(options, json),
      }),
    )
  }
  return {
    create,
    list({ pageSize, updatedAfter, search, cursor: start, signal, wait }: ListOptions = {}) {
      const since = updatedAfter instanceof Date ? updatedAfter.toISOString() : updatedAfter
      const fetchPage = async (
        cursor: string | undefined,
        until: AbortSignal | undefined,
      ): Promise<Page<AnyRecord>> => {
        // A cursor includes page size and filter.
        const query = cursor
          ? { cursor }
          : { cursor: start, pageSize: pageSize?.toString(), updatedAfter: since, search }
        return (
          await send({
            method: 'GET',
            path,
            query: { ...query, mappingKey: mappingKey('read') },
            ...common({ signal: until, wait }),
          })
        ).body
      }
      return createList(fetchPage, signal)
    },
    async get(id, options = {}) {
      return withEtag(
        await send({
          method: 'GET',
          path: pathOf(id),
          query: { mappingKey: mappingKey('read') },
          ...common(options),
        }),
      )
    },
    async findByExternalId(externalId, options = {}): Promise<Found<AnyRecord>> {
      const { data, reference, warnings } = (
        await send({ method: 'GET', path, query: { externalId, mappingKey: mappingKey('read') }, ...common(options) })
      ).body
      return { data: data[0], reference, warnings }
    },
    async update(id, record, options: UpdateOptions = {}) {
      const query = { mappingKey: mappingKey('write', false), references: options.references }
      return withEtag(
        await send({
          method: 'PUT',
          path: pathOf(id),
          query,
          body: JSON.stringify(record),
          ...common(options, { ...json, 'if-match': options.ifMatch }),
        }),
      )
    },
    createMany: (records, options: CreateManyOptions<AnyRecord> = {}) =>
      createMany(
        (record) => {
          const { signal, onUnknown, references = 'source' } = options
          return create(record, { signal, onUnknown, references, wait: 60, patient: true })
        },
        records,
        options,
      ),
  }
}
