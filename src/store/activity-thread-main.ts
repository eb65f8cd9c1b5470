// Inside the thread that writes activity: one thing after the other, in the order they were asked.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Answered, Asked, ThreadData } from './activity-thread.ts'
import { writeHere } from './activity-writer.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'
import { createVault } from './vault.ts'

/** Requests first: where the processor is wanted by others, this waits. Only Linux gives a thread a priority of its own. */
try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10)
} catch {}

const { encryptionKeys, ...where } = workerData as ThreadData
let opening: Promise<Store> | undefined
/** Asked again after it failed. */
function opened(): Promise<Store> {
  opening ??= openStore({ ...where, vault: createVault(encryptionKeys.map((key) => Buffer.from(key))), aside: true }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

async function answer({ number, lines, before }: Asked): Promise<void> {
  const answered: Answered = { number, removed: 0 }
  try {
    const { write, prune } = writeHere((await opened()).activity)
    if (lines !== undefined) await write(lines)
    if (before !== undefined) answered.removed = await prune(before)
  } catch (error) {
    answered.error = (error as Error).message
  }
  parentPort?.postMessage(answered)
}
async function end(): Promise<void> {
  await (await opening?.catch(() => undefined))?.close()
  parentPort?.close()
}
let last = Promise.resolve()
parentPort?.on('message', (asked: Asked | 'end') => {
  last = last.then(() => (asked === 'end' ? end() : answer(asked)))
})
