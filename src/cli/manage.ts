// The management API for commands: an admin token, or a session of the sandbox's own user.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type AnyManageRequest,
  isInWorkspace,
  type ManageAnswer,
  type ManageItem,
  type ManageList,
  type ManageOperation,
  type ManagePage,
  type ManageParameters,
  manageAddress,
  workspacePath,
} from '../../packages/client/src/manage-call.ts'
import { CommandFailure, exitCodes, type Manage, type Method } from './command.ts'

export interface ManageOptions {
  url: string
  signal: AbortSignal
  workspace?: string
  adminToken?: string
  anonymous?: boolean // for the sign-in itself
  // Where the session is stored for the next command: sign-ins are throttled.
  login?: { user: string; password: string; keptIn: string }
}
interface ProblemBody {
  code?: string
  detail?: string
  errors?: { pointer: string; message: string }[]
}

export class ManageFailure extends CommandFailure {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors: readonly { pointer: string; message: string }[]
  constructor(status: number, { code = 'error', detail = '', errors = [] }: ProblemBody) {
    super(status === 401 || status === 403 ? exitCodes.unreachable : exitCodes.failed, `${code}: ${detail}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
  }
}

export function createManage({ url, signal, workspace, adminToken, anonymous, login }: ManageOptions): Manage {
  let token = adminToken ? Promise.resolve(adminToken) : undefined
  let ownWorkspace: Promise<string> | undefined

  async function send<T>(method: string, path: string, bearer: string | undefined, body: unknown): Promise<T> {
    const headers = {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    let response: Response
    try {
      response = await fetch(`${url}/manage/v1${path}`, {
        method,
        headers,
        signal,
        body: body === undefined ? undefined : JSON.stringify(body),
      })
    } catch (error) {
      if (signal.aborted) throw error
      throw serviceUnreachable(url, error)
    }
    if (!response.ok) {
      const problem = (await response.json().catch(() => ({}))) as ProblemBody
      if (response.status === 404 && (problem.code ?? 'not_found') === 'not_found')
        throw new CommandFailure(exitCodes.unreachable, noManagement(url))
      throw new ManageFailure(response.status, problem)
    }
    return (response.status === 204 ? undefined : await response.json()) as T
  }
  async function logIn(): Promise<string> {
    if (!login) throw new CommandFailure(exitCodes.unreachable, 'this needs the management API: set UNIREC_ADMIN_TOKEN')
    const { user, password } = login
    const session = await send<ManageAnswer<'logIn'>>('POST', '/sessions', undefined, { user, password })
    try {
      writeFileSync(login.keptIn, `${JSON.stringify({ url, ...session })}\n`, { mode: 0o600 })
    } catch {
      // A directory that is not ours: the session is used once.
    }
    return session.token ?? ''
  }
  const openToken = () => {
    token ??= keptSession(login?.keptIn, url) ?? logIn()
    return token
  }
  async function withToken<T>(method: string, path: string, body: unknown): Promise<T> {
    if (anonymous) return send<T>(method, path, undefined, body)
    try {
      return await send<T>(method, path, await openToken(), body)
    } catch (error) {
      if (adminToken || !(error instanceof ManageFailure) || error.status !== 401) throw error
      token = logIn()
      return send<T>(method, path, await token, body)
    }
  }
  async function onlyWorkspace(): Promise<string> {
    if (workspace) return workspacePath(workspace)
    const { data } = await call('listWorkspaces')
    if (data[0] && data.length === 1) return workspacePath(data[0].id)
    throw new CommandFailure(
      exitCodes.usage,
      `there are ${data.length} workspaces: choose one with --workspace (${data.map(({ id }) => id).join(', ')})`,
    )
  }
  const workspaceOf = () => {
    ownWorkspace ??= onlyWorkspace()
    return ownWorkspace
  }
  const call: Manage['call'] = async <T>(
    first: ManageOperation | Method,
    second: AnyManageRequest | string = {},
    body?: unknown,
  ): Promise<T> => {
    if (typeof second === 'string')
      return withToken(
        first,
        second.startsWith('{') ? second.replace('{workspace}', await workspaceOf()) : second,
        body,
      )
    const operation = first as ManageOperation
    const own =
      second.workspace === undefined && isInWorkspace(operation)
        ? await workspaceOf()
        : workspacePath(second.workspace ?? '')
    const { method, path } = manageAddress(operation, second, own)
    return withToken(method, path, second.body)
  }
  return { call }
}

/** A missing workspace or account has another code: this address has no such route at all. */
const noManagement = (url: string) =>
  `there is no management API at ${url}: a service with MANAGE_PORT serves it only on that port. Set UNIREC_URL (--url) to the management address, which serves all other commands too`

function keptSession(file: string | undefined, url: string): Promise<string> | undefined {
  if (!file || !existsSync(file)) return undefined
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string; expiresAt: string }
    return kept.url === url && Date.parse(kept.expiresAt) > Date.now() + 60_000
      ? Promise.resolve(kept.token)
      : undefined
  } catch {
    return undefined
  }
}

/** The informative part of a failed fetch. */
export const serviceUnreachable = (url: string | undefined, error: unknown): CommandFailure =>
  new CommandFailure(
    exitCodes.unreachable,
    `${url} cannot be reached: ${reasonOf(error)}. Check that the service is running (unirec serve), and that --url or UNIREC_URL is correct`,
  )

export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = (cause as { code?: string }).code
  return code === 'ECONNREFUSED'
    ? 'nothing listens there (ECONNREFUSED)'
    : (cause as Error).message || code || 'no answer'
}

export type AccountShown = ManageItem<'listAccounts'>

/** A page of any list: what its operation says of an entry is kept. */
const pageOf = <K extends ManageList>(manage: Manage, operation: K, request: AnyManageRequest = {}) =>
  (manage.call as (operation: K, request: AnyManageRequest) => Promise<ManagePage<K>>)(operation, request)

/** All pages of a list. */
export async function* listAll<K extends ManageList>(
  manage: Manage,
  operation: K,
  ...[given]: ManageParameters<K>
): AsyncGenerator<ManageItem<K>> {
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page: ManagePage<K> = await pageOf(manage, operation, {
      ...given,
      query: { ...given?.query, limit: 200, after },
    })
    yield* page.data
    after = page.next
  }
}
export async function* firstPage<K extends ManageList>(
  manage: Manage,
  operation: K,
  ...[given]: ManageParameters<K>
): AsyncGenerator<ManageItem<K>> {
  yield* (await pageOf(manage, operation, given)).data
}
/** All pages of a list by its path, without types: for `apply`, whose sections are data. */
export async function allOf<T>(manage: Manage, path: string): Promise<T[]> {
  const all: T[] = []
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const position = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const page: { data: T[]; next?: string } = await manage.call('GET', `${path}?limit=200${position}`)
    all.push(...page.data)
    after = page.next
  }
  return all
}
