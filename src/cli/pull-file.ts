// A pull into a file: the list page by page, and with --follow the changes after it. A kill at any moment leaves the old
// file or the new one, and a state file from which the next run goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AccountClient,
  type EntityChange,
  type EntityName,
  UnifiedError,
} from '../../packages/client/src/index.ts'
import { CommandFailure, exitCodes, type Output } from './command.ts'
import { inline } from './printable.ts'
import type { PullPosition, PullState } from './pull-state.ts'
import { bytesOf, type Layout, openPart, type Part, replaceRecords } from './record-file.ts'
import { partOf } from './replace-file.ts'

export interface FilePull {
  file: string
  account: AccountClient
  entity: EntityName
  layout: Layout
  state: PullState
  output: Output
  signal: AbortSignal
  /** Reads the list from a cursor on. `onPage` gets the text of a page, its records, and the cursor after it. */
  readList(
    cursor: string | undefined,
    onPage: (text: string, records: number, next: string | undefined) => Promise<void>,
  ): Promise<void>
}

const changesPerPage = 500
const retrySeconds = 10
/** The client has repeated such a request a few times. A command that follows waits until the service is back. */
const passing = new Set([0, 408, 429, 500, 502, 503, 504])

const isUnified = (error: unknown, ...codes: string[]): error is UnifiedError =>
  error instanceof UnifiedError && codes.includes(error.code)

const mismatch = (file: string): CommandFailure =>
  new CommandFailure(
    exitCodes.usage,
    `the state file does not belong to ${file}: the file is missing, or something else has changed it. Delete the state file to start again`,
  )

/** The complete list in the file. Continues where the state ends. */
export async function pullToFile(pull: FilePull): Promise<PullPosition> {
  const { file, state } = pull
  const position = await readToEnd(pull, state.position ?? { stage: 'list', records: 0, bytes: 0 })
  await publishListed(file, position)
  await state.clear()
  return position
}

/** Reads the list until FILE.part is complete. */
async function readToEnd(pull: FilePull, start: PullPosition): Promise<PullPosition> {
  const { file, layout, state, output } = pull
  if (start.stage !== 'list') return start
  const part = await openPart(file, start.bytes)
  if (!part) throw mismatch(partOf(file))
  let position = start
  try {
    if (part.bytes() === 0) await part.write(layout.header)
    await pull.readList(start.page, async (text, records, page) => {
      await part.write(text)
      position = {
        ...position,
        stage: page === undefined ? 'listed' : 'list',
        records: position.records + records,
        bytes: part.bytes(),
        page,
      }
      if (!state.isStored) return
      await part.sync()
      await state.save(position)
    })
    await part.sync()
    await part.abandon(true)
    return position
  } catch (error) {
    const isRejected = start.page !== undefined && position === start && isUnified(error, 'invalid_cursor')
    await part.abandon(state.isStored && !isRejected)
    if (!isRejected) throw error
    output.note('the platform no longer continues this list: it is read from the start')
    const { page: _, ...rest } = start
    return readToEnd(pull, { ...rest, records: 0, bytes: 0 })
  }
}

/** The part first: an older file could have the same length. */
async function publishListed(file: string, { bytes }: PullPosition): Promise<void> {
  if ((await bytesOf(partOf(file))) === bytes) await ((await openPart(file, bytes)) as Part).publish()
  else if ((await bytesOf(file)) !== bytes) throw mismatch(file)
}

/** Copies the list, then applies changes until the signal aborts. Copies again if the cursor has expired. */
export async function followToFile(pull: FilePull, onCopied: (position: PullPosition) => void): Promise<never> {
  const { file, state, output, signal } = pull
  await checkWatched(pull)
  if (state.position?.stage === 'follow') await checkFile(file, state.position)
  let { position } = state
  for (let isFirst = true; ; isFirst = false) {
    try {
      position ??= await startOf(pull)
      if (position.stage !== 'follow') {
        position = await readToEnd(pull, position)
        await publishListed(file, position)
        const { page: _, ...copied } = position
        position = { ...copied, stage: 'follow' }
        await state.save(position)
        onCopied(position)
      } else if (isFirst) output.note(`${file} has ${position.records} records; following changes`)
      position = await applied(pull, position, position.recent ?? [])
      await applyChanges(pull, position)
    } catch (error) {
      signal.throwIfAborted()
      position = state.position
      if (isUnified(error, 'cursor_expired')) {
        output.note(`${inline(error.detail)} The list is copied again.`)
        position = undefined
      } else if (position?.stage === 'follow' && isUnified(error, 'invalid_cursor'))
        throw new CommandFailure(
          exitCodes.usage,
          'the cursor in the state file is not one of this service and account. Delete the state file to start again',
        )
      else if (error instanceof UnifiedError && passing.has(error.status)) {
        const seconds = error.retryAfter ?? retrySeconds
        output.note(`${error.code}: ${inline(error.detail)} Trying again in ${seconds} s.`)
        await sleep(seconds * 1000, undefined, { signal })
      } else throw error
    }
  }
}

async function checkWatched({ account, entity, output, signal }: FilePull): Promise<void> {
  const status = (await account.changesStatus({ signal })).entities[entity]
  if (!status)
    throw new CommandFailure(
      exitCodes.failed,
      `${account.id} ${entity} is not watched, so its changes are not known. Watch it, then pull again:\n  unirec watch set ${account.id} ${entity}`,
    )
  if (status.phase === 'first_walk')
    output.note(`waiting for the first walk of ${account.id} ${entity}; unirec watch list ${account.id} shows it`)
}

async function checkFile(file: string, { bytes, nextBytes }: PullPosition): Promise<void> {
  const found = await bytesOf(file)
  if (found === undefined || (found !== bytes && found !== nextBytes)) throw mismatch(file)
}

/** The cursor is taken before the list: what changes while the list is read comes after it. */
async function startOf({ account, entity, signal }: FilePull): Promise<PullPosition> {
  const start = { stage: 'list', records: 0, bytes: 0 } as const
  const changes = account.changes({ entityTypes: [entity], follow: false, signal })
  for await (const { data, pagination } of changes.pages())
    return { ...start, feed: pagination.cursor, recent: data as EntityChange[] }
  return { ...start, feed: changes.cursor }
}

async function applyChanges(pull: FilePull, start: PullPosition): Promise<never> {
  const { account, state, signal } = pull
  let position = start
  const changes = account.changes({
    cursor: start.feed as string,
    pageSize: changesPerPage,
    signal,
    async onCursor(feed) {
      position = { ...position, feed }
      await state.save(position)
    },
  })
  for await (const { data } of changes.pages()) position = await applied(pull, position, data as EntityChange[])
  throw new Error('the changes ended')
}

/** The same changes can be applied twice: each one has the whole record. */
async function applied(
  pull: FilePull,
  position: PullPosition,
  changes: readonly EntityChange[],
): Promise<PullPosition> {
  const { file, layout, state, output } = pull
  const { recent: _, nextBytes: __, ...rest } = position
  const changed = new Map<string, object | undefined>()
  for (const change of changes) {
    const { externalId, operation } = change
    const record = operation === 'deleted' ? undefined : (change.record ?? (await readRecord(pull, externalId)))
    // Deleted since: that is a change of its own.
    if (operation === 'deleted' || record) changed.set(externalId, record)
  }
  if (changed.size === 0) return rest
  const { bytes, records } = await replaceRecords(file, layout, changed, (nextBytes) =>
    state.save({ ...position, nextBytes }),
  )
  output.note(`${file}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${records} records`)
  return { ...rest, bytes, records }
}

/** Where the workspace does not store records. */
async function readRecord({ account, entity, signal }: FilePull, id: string): Promise<object | undefined> {
  try {
    return (await account.entity(entity as string).get(id, { signal, wait: 60 })).data
  } catch (error) {
    if (isUnified(error, 'record_not_found')) return undefined
    throw error
  }
}
