// All stores of one file are in one process, in several threads.
import { BroadcastChannel } from 'node:worker_threads'
import { type ChangeWakes, createListeners } from '../change-wakes.ts'

export function createLocalWakes(file: string): ChangeWakes & { close(): void } {
  let channel: BroadcastChannel | undefined
  let closed = false
  function open(): BroadcastChannel | undefined {
    if (channel || closed) return channel
    channel = new BroadcastChannel(`changes of ${file}`)
    channel.unref()
    channel.onmessage = (message: unknown) => tell((message as { data: string }).data)
    return channel
  }
  const { subscribe, tell } = createListeners(open)
  return {
    subscribe,
    committing: async () => {},
    committed(accountId) {
      tell(accountId)
      open()?.postMessage(accountId)
    },
    close() {
      closed = true
      channel?.close()
    },
  }
}
