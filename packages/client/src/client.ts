// The client: a service, its accounts, and their records.
import { createAuthentication } from './authentication.ts'
import { copyRecords, createChanges, type FetchChanges } from './changes.ts'
import type { Client } from './client-types.ts'
import { createMany } from './create-many.ts'
import { UnifiedError } from './error.ts'
import { entityTypes } from './generated/entity-types.ts'
import { createList } from './list.ts'
import { createManageClient } from './manage.ts'
import { createTransport, type HttpRequest, type Send } from './transport.ts'
import type {
  AccountClient,
  AccountOptions,
  AnyRecord,
  CallOptions,
  ChangesOptions,
  ClientOptions,
  CreateManyOptions,
  CreateOptions,
  DryRunOptions,
  EntityClient,
  EntityName,
  Found,
  ListOptions,
  Page,
  SelectOptions,
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
      ({ entityTypes, pageSize, include, signal }: ChangesOptions): FetchChanges =>
      async ({ cursor, wait }) => {
        const query = {
          cursor,
          entityType: cursor === undefined ? entityTypes?.join(',') : undefined, // a cursor fixes its entities
          pageSize: pageSize?.toString(),
          include,
          mappingKey: mappingKey('read'),
        }
        const preference = wait > 0 ? { wait } : {}
        return (await send({ method: 'GET', path: `${path}/changes`, query, ...common({ signal, ...preference }) }))
          .body
      }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const named = Object.fromEntries(Object.keys(entityTypes).map((name) => [name, entity(name as EntityName)])) as any
    return {
      id,
      entity,
      native: async (call, options = {}) => {
        const query = { mappingKey: mappingKey('write') }
        const body = JSON.stringify(call)
        return (await send({ method: 'POST', path: `${path}/native`, query, body, ...common(options, json) })).body
      },
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
      ...named,
      describe: async ({ signal } = {}) => (await send({ method: 'GET', path, signal })).body,
    }
  }
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the vertical exists in types only
    account: account as any,
    manage: createManageClient(send, options.manageUrl),
    platforms: async ({ signal } = {}) => (await transport({ method: 'GET', path: '/platforms', signal })).body.data,
  }
}

const common = ({ signal, wait }: CallOptions, headers?: HttpRequest['headers']) => ({
  signal,
  headers: { ...headers, prefer: wait === undefined ? undefined : `wait=${wait}` },
})

const selected = ({ include, fields }: SelectOptions) => ({ include, fields: fields?.join(',') })

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
      totals: options.totals,
      dryRun: options.dryRun ? String(options.dryRun) : undefined,
      onUnknown: options.dryRun ? undefined : options.onUnknown,
      guard: options.dryRun ? undefined : options.guard,
      confirmDuplicate: options.dryRun || !options.confirmDuplicate ? undefined : 'true',
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
    list({ pageSize, updatedAfter, search, cursor: start, include, fields, signal, wait }: ListOptions = {}) {
      const since = updatedAfter instanceof Date ? updatedAfter.toISOString() : updatedAfter
      const fetchPage = async (
        cursor: string | undefined,
        until: AbortSignal | undefined,
      ): Promise<Page<AnyRecord>> => {
        // A cursor includes all of it.
        const query = cursor
          ? { cursor }
          : {
              cursor: start,
              pageSize: pageSize?.toString(),
              updatedAfter: since,
              search,
              ...selected({ include, fields }),
            }
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
          query: { ...selected(options), mappingKey: mappingKey('read') },
          ...common(options),
        }),
      )
    },
    async findByExternalId(externalId, options = {}): Promise<Found<AnyRecord>> {
      const query = { externalId, ...selected(options), mappingKey: mappingKey('read') }
      const { data, native, reference, warnings } = (await send({ method: 'GET', path, query, ...common(options) }))
        .body
      return { data: data[0], native, reference, warnings }
    },
    async update(id, record, options: UpdateOptions = {}) {
      const { references, totals } = options
      const query = { mappingKey: mappingKey('write', false), references, totals }
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
