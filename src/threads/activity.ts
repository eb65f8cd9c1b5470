// Activity is written by a thread of its own, over a connection of its own: packing, sealing and the database cost the requests nothing but handing it over.
import type { ActivityWriter } from '../store/activity-writer.ts'
import { createWorkerCalls, type ThreadData } from './worker.ts'

export function createActivityThread(file: string, data: ThreadData): ActivityWriter {
  const thread = createWorkerCalls('activity', file, data)
  return {
    write: (lines) => thread.call('write', [lines], [lines.buffer]),
    prune: (before) => thread.call('prune', [before]),
    close: thread.close,
  }
}
