// What a command of `unirec` is: data, and one function. Parsing, help, completion and docs/cli.md all come from the
// declarations.
import type { Readable } from 'node:stream'
import type { Client, ResponseInfo } from '../../packages/client/src/index.ts'
import type { ManageAnswer, ManageOperation, ManageParameters } from '../../packages/client/src/manage-call.ts'

export interface Flag {
  name: string
  short?: string
  type: 'string' | 'boolean'
  description: string
  value?: string // placeholder in the help
  choices?: readonly string[]
  complete?: 'account' | 'profile'
  default?: string
  canBeEmpty?: true // an empty value removes the setting
  field?: string // the member of the body that it becomes: errors about that name the flag
}
export interface Argument {
  name: string
  description: string
  optional?: boolean
  complete?: 'account' | 'entity' | 'file' | 'profile'
  choices?: readonly string[]
  field?: string // as with flags, or the name in the path
  listedBy?: string // the command that lists the values
}
export interface Command {
  name: string // 'pull', 'accounts list'
  summary: string
  arguments: readonly Argument[]
  flags: readonly Flag[]
  examples?: readonly string[]
  run(invocation: Invocation): Promise<number>
}
/** Commands under a title of the help. */
export interface CommandGroup {
  title: string
  commands: readonly Command[]
}
export interface Invocation {
  arguments: Record<string, string>
  flags: Record<string, string | boolean | undefined>
  output: Output
  input: Readable & { isTTY?: boolean } // standard input
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  connect(): Promise<Connection>
}
export interface Connection {
  url: string
  manageUrl: string // of the management API and the dashboard
  client: Client
  apiKey?: string | undefined // absent: an access id, or none
  manage?: Manage // with an admin token, a user that can sign in, or an API key with scopes for it
  byKey?: boolean // with an API key
  watch(listener: (info: ResponseInfo) => void): void // every response to the client, with its pacing state
}
/** The management API of one workspace. */
export interface Manage {
  /** An operation by its name. Without `workspace` in the request, it is the workspace of the connection. */
  call<K extends ManageOperation>(operation: K, ...parameters: ManageParameters<K>): Promise<ManageAnswer<K>>
  /** Without types: for `apply`, whose sections are data. `{workspace}` is replaced by the workspace's path. */
  call<T>(method: Method, path: string, body?: unknown): Promise<T>
}
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export interface Output {
  isTerminal: boolean // of stderr, where progress and notes go
  json: boolean
  line(text: string): void // stdout
  note(text: string): void // stderr
  error(text: string): void // stderr, with --quiet as well
  prompt(text: string): void // stderr, without a line break
  data(chunk: string): Promise<void> // stdout with back-pressure
  /** `done` is what an earlier run has done. */
  progress(name: string, start?: { total?: number | undefined; done?: number | undefined }): Progress
}
/** The state of the account's rate limit; `platform` is its name for people. */
export interface PacingState {
  waitedMs?: number
  left?: number
  resetSeconds?: number
  platform?: string
}
export interface Progress {
  /** The total, as soon as it is known. */
  expect(total: number): void
  advance(count: number, state?: PacingState): void
  end(message?: string): void
}

/** Meant for scripts; docs/cli.md explains each code. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  pending: 4,
  interrupted: 130,
} as const

/** Ends the command with a message for a person, and an exit code for scripts. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

const fileFaults: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}
export const unreadable = (file: string, error: unknown, nextStep = ''): CommandFailure => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new CommandFailure(exitCodes.usage, `${file} cannot be read: ${fileFaults[code] ?? message}${nextStep}`)
}
