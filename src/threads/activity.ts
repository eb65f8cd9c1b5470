// A separate thread with its own connection writes the activity: compression, encryption and the database do not delay
// requests.
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
