// Inside a thread that has the database open too: the calls of the process, and their answers.
import { parentPort, workerData } from 'node:worker_threads'
import { type OpenOptions, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createVault } from '../store/vault.ts'
import { type Answer, type Call, failureOf, type ThreadData } from './worker.ts'

type Methods = Record<string, (...parameters: never[]) => Promise<unknown>>

/** The database is opened with the first call, and with the next one again should that fail. */
export function answerCalls(options: Pick<OpenOptions, 'lasting'>, methodsOf: (store: Store) => Methods): void {
  const { encryptionKeys, ...where } = workerData as ThreadData
  let opening: Promise<{ store: Store; methods: Methods }> | undefined
  async function open() {
    const store = await openStore({ ...where, ...options, vault: createVault(encryptionKeys.map((key) => Buffer.from(key))), aside: true })
    return { store, methods: methodsOf(store) }
  }
  function opened() {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function answer({ method, parameters }: Call): Promise<Answer> {
    try {
      const { methods } = await opened()
      return { value: await (methods[method] as Methods[string])(...(parameters as never[])) }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
  let last = Promise.resolve() // there is one lot at a time
  async function answerAll(calls: Call[]): Promise<void> {
    parentPort?.postMessage(await Promise.all(calls.map(answer)))
  }
  async function end(): Promise<void> {
    await last
    const open = await opening?.catch(() => undefined)
    await open?.store.close()
    parentPort?.close()
  }
  parentPort?.on('message', (calls: Call[] | 'end') => {
    if (calls === 'end') void end()
    else last = answerAll(calls)
  })
}
