// One call for every operation of the management API, by its name: path, query, body and answer are typed together.
import type { ManageOperations, Paging } from './generated/manage.ts'
import { manageRoutes } from './generated/manage-routes.ts'

export type ManageOperation = keyof ManageOperations
export type ManageAnswer<K extends ManageOperation> = ManageOperations[K]['answer']
export type ManageBody<K extends ManageOperation> = ManageOperations[K] extends { body: infer Body } ? Body : undefined
/** An entry of a list. */
export type ManageItem<K extends ManageOperation> = ManageAnswer<K> extends { data: (infer Item)[] } ? Item : never
/** Operations whose answer is one page. */
export type ManageList = {
  [K in ManageOperation]: ManageOperations[K] extends { query: Paging } ? K : never
}[ManageOperation]
/** What every list has in common. */
export interface ManagePage<K extends ManageList> {
  data: ManageItem<K>[]
  next?: string
}

type QueryValue = string | number | boolean | undefined
type PathPart<Operation> = Operation extends { path: infer Name extends string }
  ? { path: Record<Name, string> }
  : { path?: undefined }
/** Values are sent as text; those that are empty are left out. */
type QueryPart<Operation> = Operation extends { query: infer Query }
  ? { query?: { [Name in keyof Query]?: QueryValue } }
  : { query?: undefined }
type BodyPart<Operation> = Operation extends { body: infer Body } ? { body: Body } : { body?: undefined }
/** Without `workspace`, the workspace of the caller. */
export type ManageRequest<K extends ManageOperation> = K extends ManageOperation
  ? { workspace?: string } & PathPart<ManageOperations[K]> &
      QueryPart<ManageOperations[K]> &
      BodyPart<ManageOperations[K]>
  : never
/** The request may be left out where nothing of it is required. */
export type ManageParameters<K extends ManageOperation, More extends unknown[] = []> =
  Record<never, never> extends ManageRequest<K>
    ? [request?: ManageRequest<K>, ...more: Partial<More>]
    : [request: ManageRequest<K>, ...more: Partial<More>]

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export interface AnyManageRequest {
  workspace?: string | undefined
  path?: Record<string, string> | undefined
  query?: Record<string, QueryValue> | undefined
  body?: unknown
}
/** `workspace`: what is before the rest of the path in a workspace. */
export function manageAddress(
  operation: ManageOperation,
  { path = {}, query = {} }: AnyManageRequest,
  workspace: string,
): { method: Method; path: string } {
  const [method, route = ''] = manageRoutes[operation].split(' ') as [Method, string?]
  const filled = route
    .replace('{workspace}', workspace)
    .replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return { method, path: text ? `${filled}?${text}` : filled }
}
export const workspacePath = (id: string): string => `/workspaces/${encodeURIComponent(id)}`
/** The parameters of the path, without the workspace. */
export const pathNames = (operation: ManageOperation): string[] =>
  [...manageRoutes[operation].matchAll(/{(\w+)}/g)].flatMap(([, name = '']) => (name === 'workspace' ? [] : [name]))
/** Whether the path of an operation begins with a workspace. */
export const isInWorkspace = (operation: ManageOperation): boolean => manageRoutes[operation].includes('{workspace}')
