// Inside the thread that writes activity: one thing after the other, in the order they were asked.
import { parentPort, workerData } from 'node:worker_threads'
import type { Answered, Asked, ThreadData } from './activity-thread.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'
import { createVault } from './vault.ts'

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

async function answer({ number, entries, before }: Asked): Promise<void> {
  const answered: Answered = { number, removed: 0 }
  try {
    const { activity } = await opened()
    if (entries !== undefined) await activity.record(JSON.parse(entries))
    if (before !== undefined) answered.removed = await activity.prune(before)
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
