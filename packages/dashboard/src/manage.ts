// The management API by the names of its operations. What a request needs and what comes back is typed by the operation.
import {
  type AnyManageRequest,
  type ManageAnswer,
  type ManageOperation,
  type ManageParameters,
  manageAddress,
  workspacePath,
} from '../../client/src/manage-call.ts'
import { type RequestOptions, request } from './api.ts'
import type { Refined } from './refined.ts'

export type Answer<K extends ManageOperation> = K extends keyof Refined ? Refined[K] : ManageAnswer<K>
export type CallOptions = Omit<RequestOptions, 'body'>
/** Calls of operations, in one workspace. */
export type Call = <K extends ManageOperation>(
  operation: K,
  ...parameters: ManageParameters<K, [CallOptions]>
) => Promise<Answer<K>>

const addressOf = (operation: ManageOperation, { workspace = '', ...given }: AnyManageRequest) => {
  const { method, path } = manageAddress(operation, given, workspacePath(workspace))
  return { method, url: `/manage/v1${path}` }
}
export const manageUrl = (operation: ManageOperation, given: AnyManageRequest): string =>
  addressOf(operation, given).url

export const callIn =
  (workspace: string): Call =>
  (operation, ...[given, options]) => {
    const { method, url } = addressOf(operation, { workspace, ...given })
    return request(method, url, { ...options, body: given?.body })
  }
/** For operations outside of workspaces. */
export const call = callIn('')
