// Waits for a write that another one refers to, on this or another instance.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineStore } from '../options.ts'
import { leaseMs } from './lease.ts'
import type { AwaitWrite } from './references.ts'
import type { Turns } from './turns.ts'

export function createAwaitWrite(journal: Pick<EngineStore['journal'], 'get'>, turns: Turns): AwaitWrite {
  return async (key) => {
    // Bounded: two records that name each other as parents must not wait for each other forever.
    const deadline = Date.now() + leaseMs
    const local = turns.running(key)
    if (local) await Promise.race([local, sleep(leaseMs, undefined, { ref: false })])
    for (;;) {
      const entry = await journal.get(key)
      if (!entry) return 'none'
      if (entry.state === 'done') return 'done'
      if (entry.state !== 'in_flight' || Date.now() >= deadline) return 'open'
      await sleep(50)
    }
  }
}
