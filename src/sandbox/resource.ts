// A resource of a simulator: records of one kind below one path, declared once. The platform's style gives what its
// resources share; every part can be given by hand, and an operation that is not given does not exist.
import type { Collection } from './collection.ts'
import type { Fields } from './http.ts'
import type { Handler, RouteCall, Routes } from './router.ts'
import type { WireRequest, WireResponse } from './simulator.ts'

export type Operation = 'get' | 'create' | 'update' | 'remove'
type Method = 'POST' | 'PUT' | 'PATCH'

/** What the resources of a platform have in common. */
export interface Style<Context> {
  /** The body of a write, or the platform's error for one that cannot be read. */
  body(request: WireRequest): Fields
  /** A response that has one record; `name` is that of the resource. */
  one(shown: unknown, name: string, operation: Operation, call: RouteCall<Context>): WireResponse
  /** Rejects the request for a record that does not exist. */
  missing(name: string, id: string, call: RouteCall<Context>): never
  updates?: Method // PUT by default
  /** An update is rejected for its body before it is for its record. */
  bodyFirst?: boolean
}
type Lister<Context, T> = (rows: T[], call: RouteCall<Context>) => WireResponse
export interface Resource<Context, T> {
  /** One record, as in messages and members of responses. */
  name: string
  path: string
  records(context: Context): Collection<T>
  id?(record: T): string // its `id` by default
  /** A record that is not listed is deleted or hidden; `finds` says whether it can still be read and changed. */
  lists?(record: T, context: Context): boolean
  finds?(record: T, context: Context): boolean
  /** By another key than the id: an external identifier, an alias. */
  find?(id: string, call: RouteCall<Context>): T | undefined
  /** The form of a record in responses. */
  show?(record: T, call: RouteCall<Context>): unknown
  /** Filters, sorts and pages in the platform's way. Several lists by method and path: `POST /search`. */
  list?: Lister<Context, T> | Readonly<Record<string, Lister<Context, T>>>
  get?: false // a record can only be listed
  /** The part of a body that the platform accepts. */
  accepts?(body: Fields, operation: 'create' | 'update', call: RouteCall<Context>): Fields
  /** The record to store. */
  create?(body: Fields, call: RouteCall<Context>): T
  update?(current: T, body: Fields, call: RouteCall<Context>): T
  /** The version that a write names, where it names one. `stale` rejects a write that names another. */
  version?: {
    of(record: T): unknown
    given(body: Fields, call: RouteCall<Context>, operation: Operation): unknown
    stale(current: T, given: unknown, operation: Operation): never
  }
  /** The record is gone, or has its deleted form, or cannot be deleted. */
  remove?: 'delete' | ((current: T, call: RouteCall<Context>) => T | undefined)
  /** Repeats the first response to the same key. */
  once?(call: RouteCall<Context>, body: Fields, run: () => WireResponse): WireResponse
}
/** `Resource` with parts of the style that this resource has in another way. */
export type Declared<Context, T> = Resource<Context, T> & Partial<Style<Context>>

/** The routes of a resource, and its parts for what is written by hand. */
export interface Served<Context, T> {
  routes: Routes<Context>
  rows(context: Context): T[] // what a list has
  find(id: string, call: RouteCall<Context>): T
}

export const resourcesOf =
  <Context>(style: Style<Context>) =>
  <T>(declared: Declared<Context, T>): Served<Context, T> => {
    const { name, path, records, id = idOf, create, update, remove, version } = declared
    const { body, one, missing, updates = 'PUT', bodyFirst } = { ...style, ...declared }
    const { list, lists = () => true, finds = () => true, show = (record: T) => record } = declared
    const { accepts = (given: Fields) => given } = declared
    const rows = (context: Context): T[] => records(context).filter((record) => lists(record, context))

    function find(given: string, call: RouteCall<Context>): T {
      const record = declared.find ? declared.find(given, call) : records(call.context).get(given)
      return record !== undefined && finds(record, call.context) ? record : missing(name, given, call)
    }
    const respond = (record: T, operation: Operation, call: RouteCall<Context>): WireResponse =>
      one(show(record, call), name, operation, call)
    const store = (record: T, { context }: RouteCall<Context>): T => records(context).set(id(record), record)
    function checkVersion(current: T, fields: Fields, call: RouteCall<Context>, operation: Operation): void {
      const given = version?.given(fields, call, operation)
      if (given !== undefined && given !== null && given !== version?.of(current))
        version?.stale(current, given, operation)
    }

    const routes: Record<string, Handler<Context>> = {}
    for (const [place, read] of Object.entries(typeof list === 'function' ? { GET: list } : (list ?? {}))) {
      const [method, below = ''] = place.split(' ')
      routes[`${method} ${path}${below}`] = (call) => read(rows(call.context), call)
    }
    if (declared.get !== false)
      routes[`GET ${path}/:id`] = (call) => respond(find(call.params.id ?? '', call), 'get', call)
    if (create)
      routes[`POST ${path}`] = (call) => {
        const fields = body(call.request)
        const run = () => respond(store(create(accepts(fields, 'create', call), call), call), 'create', call)
        return declared.once ? declared.once(call, fields, run) : run()
      }
    if (update)
      routes[`${updates} ${path}/:id`] = (call) => {
        const early = bodyFirst && body(call.request)
        const current = find(call.params.id ?? '', call)
        const fields = accepts(early || body(call.request), 'update', call)
        checkVersion(current, fields, call, 'update')
        return respond(store(update(current, fields, call), call), 'update', call)
      }
    if (remove)
      routes[`DELETE ${path}/:id`] = (call) => {
        const current = find(call.params.id ?? '', call)
        checkVersion(current, {}, call, 'remove')
        const deleted = remove === 'delete' ? undefined : remove(current, call)
        if (deleted === undefined) records(call.context).delete(id(current))
        else store(deleted, call)
        return respond(deleted ?? current, 'remove', call)
      }
    return { routes, rows, find }
  }

const idOf = (record: unknown): string => String((record as { id: unknown }).id)
