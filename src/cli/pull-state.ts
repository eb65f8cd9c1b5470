// The state file of a pull: where an interrupted run goes on. It is stored after the data that it speaks of.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { EntityChange } from '../../packages/client/src/index.ts'
import { CommandFailure, exitCodes, unreadable } from './command.ts'
import { replaceFile } from './replace-file.ts'

/** `list`: the list is being read. `listed`: FILE.part is complete. `follow`: FILE is complete, changes are applied. */
export interface PullPosition {
  stage: 'list' | 'listed' | 'follow'
  records: number
  bytes: number // of FILE.part, or with `follow` of FILE
  nextBytes?: number | undefined // of the file that is about to replace FILE
  page?: string | undefined // cursor of the next page of the list
  feed?: string | undefined // cursor of the change feed
  recent?: readonly EntityChange[] | undefined // changes before that cursor that the list may lack
}
/** What a state file is for. Another pull must not continue it. */
export interface PullIdentity {
  account: string
  entity: string
  format: string
  'updated-after': string | undefined
  search?: string | undefined
  fields: string | undefined
  native: true | undefined
  follow: boolean
}
export interface PullState {
  readonly position: PullPosition | undefined
  readonly isStored: boolean
  save(position: PullPosition): Promise<void>
  /** Back to the start. */
  clear(): Promise<void>
}

const kind = 'unirec pull'
const version = 1

export function openPullState(file: string | undefined, identity: PullIdentity): PullState {
  let position = file === undefined ? undefined : readPosition(file, identity)
  return {
    get position() {
      return position
    },
    isStored: file !== undefined,
    async save(next) {
      if (file !== undefined)
        await replaceFile(file, `${JSON.stringify({ kind, version, ...identity, position: next })}\n`)
      position = next
    },
    async clear() {
      if (file !== undefined) await rm(file, { force: true })
      position = undefined
    },
  }
}

function readPosition(file: string, identity: PullIdentity): PullPosition | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  const state = parsed(text)
  if (state?.kind !== kind || state.version !== version || !isPosition(state.position, state.follow === true))
    throw new CommandFailure(
      exitCodes.usage,
      `${file} is not a state file of unirec pull, or it is damaged. Use another file, or delete this one to start again`,
    )
  for (const [name, value] of Object.entries(identity))
    if (state[name] !== value)
      throw new CommandFailure(
        exitCodes.usage,
        `${file} is the state of another pull, with ${described(name, state[name])}. This one has ${described(name, value)}. Use another file, or delete this one to start again`,
      )
  return state.position
}

const described = (name: string, value: unknown): string =>
  ['follow', 'updated-after', 'search', 'fields', 'native'].includes(name)
    ? `${value ? '' : 'no '}--${name}${typeof value === 'string' ? ` ${value}` : ''}`
    : `${name} ${String(value)}`

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(file, error)
  }
}
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isText = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value !== '')

function isPosition(value: unknown, follow: boolean): value is PullPosition {
  if (typeof value !== 'object' || value === null) return false
  const { stage, records, bytes, nextBytes, page, feed, recent } = value as Record<string, unknown>
  return (
    ['list', 'listed', 'follow'].includes(stage as string) &&
    isCount(records) &&
    isCount(bytes) &&
    (nextBytes === undefined || isCount(nextBytes)) &&
    isText(page) &&
    isText(feed) &&
    (follow ? feed !== undefined : stage !== 'follow') &&
    (recent === undefined || Array.isArray(recent))
  )
}
