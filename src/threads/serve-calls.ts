// Inside a thread with its own connection to the database: runs the calls of the process and returns their results.
import { parentPort, workerData } from 'node:worker_threads'
import { type OpenOptions, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createVault } from '../store/vault.ts'
import { packError } from './errors.ts'
import type { Call, Calls, Result, Results, ThreadData } from './worker.ts'

type Methods = Record<string, (...parameters: never[]) => Promise<unknown>>

/** The first call opens the database. If that fails, the next call tries again. */
export function serveCalls(options: Pick<OpenOptions, 'durability'>, methodsOf: (store: Store) => Methods): void {
  const { encryptionKeys, ...location } = workerData as ThreadData
  let opening: Promise<{ store: Store; methods: Methods }> | undefined
  async function open() {
    const store = await openStore({
      ...location,
      ...options,
      vault: createVault(encryptionKeys.map((key) => Buffer.from(key))),
      background: true,
    })
    return { store, methods: methodsOf(store) }
  }
  function opened() {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function run({ method, parameters }: Call): Promise<Result> {
    try {
      const { methods } = await opened()
      return { value: await (methods[method] as Methods[string])(...(parameters as never[])) }
    } catch (error) {
      return { failure: packError(error) }
    }
  }
  let ended = Promise.resolve() // when all calls so far have
  async function runAll({ batch, calls }: Calls): Promise<void> {
    parentPort?.postMessage({ batch, results: await Promise.all(calls.map(run)) } satisfies Results)
  }
  async function end(): Promise<void> {
    await ended
    const open = await opening?.catch(() => undefined)
    await open?.store.close()
    parentPort?.close()
  }
  parentPort?.on('message', (message: Calls | 'end') => {
    if (message === 'end') return void end()
    const earlier = ended
    ended = runAll(message).then(() => earlier)
  })
}
