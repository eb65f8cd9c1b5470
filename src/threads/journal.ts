// On SQLite the journal is written by a thread of its own: sealing, statements and waiting for the disk are a third of what a write costs, and requests do not stand still for it.
import type { Store } from '../store/store.ts'
import { createWorkerCalls, type ThreadData } from './worker.ts'

type JournalWriter = Pick<
  Store['journal'],
  'begin' | 'takeOver' | 'renew' | 'stepSent' | 'stepDone' | 'stepForgotten' | 'done' | 'park' | 'remove'
>
export interface JournalThread {
  /** In the place of the store's own. */
  journal: JournalWriter
  close(): Promise<void>
}

export function createJournalThread(file: string, data: ThreadData): JournalThread {
  const { call, close } = createWorkerCalls('journal', file, data)
  return {
    journal: {
      begin: (...parameters) => call('begin', parameters),
      takeOver: (...parameters) => call('takeOver', parameters),
      renew: (...parameters) => call('renew', parameters),
      stepSent: (...parameters) => call('stepSent', parameters),
      // A connector's own value: as it would be kept, whatever it is made of.
      async stepDone(key, writeId, name, value) {
        await call('stepDone', [
          key,
          writeId,
          name,
          value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
        ])
      },
      stepForgotten: (...parameters) => call('stepForgotten', parameters),
      done: (...parameters) => call('done', parameters),
      park: (...parameters) => call('park', parameters),
      remove: (...parameters) => call('remove', parameters),
    },
    close,
  }
}
