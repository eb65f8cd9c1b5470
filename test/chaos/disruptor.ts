// Kills, pauses and lost databases at random moments. They follow the progress of the run, not the clock, so a slow
// machine gets the same number.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instances } from './instances.ts'
import type { Random } from './random.ts'

/** kill -9; SIGSTOP beyond the lease; no database beyond the lease. */
export interface Disruptions {
  kills: number
  pauses: number
  cuts: number
}
export interface Disruptor {
  notice(settled: number): void
  /** Resolves when at most one disruption is due, so that writes do not run ahead of them. */
  room(): Promise<void>
  done(): Disruptions
  failed(): boolean // an instance did not come back
  finished(): Promise<void>
}
/** Longer than the lease of a write. */
const writeStandstillMs = 16_000

export const describe = (disruptor: Disruptor) =>
  Object.entries(disruptor.done())
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')

export function createDisruptor(
  planned: Disruptions,
  writes: number,
  instances: Instances,
  random: Random,
  standstillMs = writeStandstillMs,
): Disruptor {
  const moments = (Object.entries(planned) as [keyof Disruptions, number][])
    .flatMap(([kind, count]) =>
      Array.from({ length: count }, () => ({ kind, at: Math.floor(writes * (0.02 + 0.93 * random.number())) })),
    )
    .toSorted((left, right) => left.at - right.at)
  const done: Disruptions = { kills: 0, pauses: 0, cuts: 0 }
  let failure: unknown
  let due: Promise<void>[] = []

  const disrupt: Record<keyof Disruptions, (index: number) => Promise<void>> = {
    kills: (index) => instances.replace(index, random.below(800)),
    async pauses(index) {
      instances.pause(index)
      await sleep(standstillMs + random.below(4000))
      instances.resume(index)
    },
    async cuts(index) {
      const database = instances.database(index)
      database?.cut(random.chance(0.5) ? 'silent' : 'reset')
      await sleep(standstillMs + random.below(4000))
      database?.mend()
    },
  }
  async function next(kind: keyof Disruptions, before: Promise<void> | undefined): Promise<void> {
    const index = random.below(instances.count)
    const hesitation = random.below(50)
    await before // one after the other: a service that is being restarted is not killed
    await sleep(hesitation)
    done[kind]++
    await disrupt[kind](index).catch((error: unknown) => {
      failure = error
    })
    due = due.slice(1)
  }
  return {
    notice(settled) {
      while (moments[0] !== undefined && moments[0].at <= settled) {
        const { kind } = moments.shift() as (typeof moments)[number]
        due.push(next(kind, due.at(-1)))
      }
    },
    async room() {
      while (due.length > 1) await due[0]
    },
    done: () => ({ ...done }),
    failed: () => failure !== undefined,
    async finished() {
      await Promise.all(due)
      if (failure) throw failure
    },
  }
}
