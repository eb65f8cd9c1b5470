// kill -9 at random moments. Kills follow the progress of the run, not the clock, so a slow machine gets the same number.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instances } from './instances.ts'
import type { Random } from './random.ts'

export interface Killer {
  notice(settled: number): void
  /** Resolves when at most one kill is due, so that writes do not run ahead of the kills. */
  room(): Promise<void>
  kills(): number
  failed(): boolean // an instance did not come back
  finished(): Promise<void>
}

export function createKiller(count: number, writes: number, instances: Instances, random: Random): Killer {
  const moments = Array.from({ length: count }, () => Math.floor(writes * (0.02 + 0.93 * random.number()))).toSorted(
    (left, right) => left - right,
  )
  let kills = 0
  let failure: unknown
  let due: Promise<void>[] = []

  async function kill(before: Promise<void> | undefined): Promise<void> {
    const index = random.below(instances.count)
    const [hesitation, pause] = [random.below(50), random.below(800)]
    await before // one after the other: a service that is being restarted is not killed
    await sleep(hesitation)
    kills++
    await instances.replace(index, pause).catch((error: unknown) => {
      failure = error
    })
    due = due.slice(1)
  }
  return {
    notice(settled) {
      while (moments[0] !== undefined && moments[0] <= settled) {
        moments.shift()
        due.push(kill(due.at(-1)))
      }
    },
    async room() {
      while (due.length > 1) await due[0]
    },
    kills: () => kills,
    failed: () => failure !== undefined,
    async finished() {
      await Promise.all(due)
      if (failure) throw failure
    },
  }
}
