// On SQLite a separate thread writes the journal: encryption, statements and the wait for the disk are a third of the
// cost of a write, and they do not block other requests.
import type { Store } from '../store/store.ts'
import { createWorkerCalls, type ThreadData } from './worker.ts'

type JournalWriter = Pick<
  Store['journal'],
  'begin' | 'takeOver' | 'restart' | 'renew' | 'stepSent' | 'stepDone' | 'stepForgotten' | 'done' | 'park' | 'remove'
>
export interface JournalThread {
  /** Replaces these methods of the store. */
  journal: JournalWriter
  close(): Promise<void>
}

export function createJournalThread(file: string, data: ThreadData): JournalThread {
  const { call, close } = createWorkerCalls('journal', file, data)
  return {
    journal: {
      begin: (...parameters) => call('begin', parameters),
      takeOver: (...parameters) => call('takeOver', parameters),
      restart: (...parameters) => call('restart', parameters),
      renew: (...parameters) => call('renew', parameters),
      stepSent: (...parameters) => call('stepSent', parameters),
      // A connector returns any value. It is sent as JSON, which is how it is stored.
      async stepDone(key, writeId, name, value, holder) {
        await call('stepDone', [
          key,
          writeId,
          name,
          value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
          holder,
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
