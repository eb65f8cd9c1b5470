// The management API for commands: an admin token, or a session of the sandbox's own user.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CommandFailure, exitCodes, type Manage } from './command.ts'

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
  let workspacePath: Promise<string> | undefined

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
    const session = await send<{ token: string; expiresAt: string }>('POST', '/sessions', undefined, {
      user: login.user,
      password: login.password,
    })
    try {
      writeFileSync(login.keptIn, `${JSON.stringify({ url, ...session })}\n`, { mode: 0o600 })
    } catch {
      // A directory that is not ours: the session is used once.
    }
    return session.token
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
    if (workspace) return `/workspaces/${encodeURIComponent(workspace)}`
    const { data } = await withToken<{ data: { id: string }[] }>('GET', '/workspaces', undefined)
    if (data.length === 1) return `/workspaces/${encodeURIComponent((data[0] as { id: string }).id)}`
    throw new CommandFailure(
      exitCodes.usage,
      `there are ${data.length} workspaces: choose one with --workspace (${data.map(({ id }) => id).join(', ')})`,
    )
  }
  return {
    async call<T>(method: string, path: string, body?: unknown) {
      if (path.startsWith('{workspace}')) workspacePath ??= onlyWorkspace()
      return withToken<T>(method, path.replace('{workspace}', (await workspacePath) ?? ''), body)
    },
  }
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

export interface AccountShown {
  id: string
  platform: string
  vertical: string
  name: string
  state: string
  stateReason?: string
  test?: boolean // in a test environment of the platform
  auth: string
}

/** All pages of a list. */
export async function* listAll<T>(manage: Manage, path: string): AsyncGenerator<T> {
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const position = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const page: { data: T[]; next?: string } = await manage.call('GET', `${path}?limit=200${position}`)
    yield* page.data
    after = page.next
  }
}
export async function allOf<T>(manage: Manage, path: string): Promise<T[]> {
  const all: T[] = []
  for await (const one of listAll<T>(manage, path)) all.push(one)
  return all
}
export const listAccounts = (manage: Manage): AsyncGenerator<AccountShown> =>
  listAll<AccountShown>(manage, '{workspace}/accounts')
