// The one loop of all background work: it looks for what is due, takes it by a lease, works on it, and gives it back.
// Instances share the work through the leases. What a lost lease means is decided here, for all jobs: the signal of the
// turn is aborted, nothing more is sent or stored, and the loop says so once.
import { randomUUID } from 'node:crypto'
import { readClock } from '../base/clock.ts'
import { LostLease } from '../store/lost-lease.ts'
import { createLease, type Lease, leaseMs, unleased } from './lease.ts'

/** Who takes something, and for how long. */
export interface Claim {
  holder: string // of one turn only: a turn that has lost its lease never passes for the next one
  leaseMs: number
}
/** When something is due again. */
export interface Next {
  dueInMs: number
  restMs?: number // until then not even a wake makes it due
  holdMs?: number // this process leaves it alone for so long: for work whose time is not stored
}
/** What a turn is told. */
export interface Turn {
  /** Aborted at a shutdown, when the work is stopped from outside, and when the lease is lost. */
  readonly signal: AbortSignal
  /** False when the turn must come to its end. */
  mayGoOn(): boolean
  isHeld(): boolean
  /** Throws LostLease unless the lease is held. Asked right before anything is sent. */
  check(): void
  /** Others wait until this turn is over. */
  isCrowded(): boolean
}
/** time: it was time to look. news: something may have become due. */
export type Why = 'time' | 'news'

/** What a job does. */
export interface Work<Held> {
  /** Ids of what is due, first things first. It may contain what others hold. */
  due(limit: number, why: Why): Promise<readonly string[]>
  /** Undefined if another one has it, or there is nothing to do. */
  take(id: string, claim: Claim): Promise<Held | undefined>
  /** False if it belongs to somebody else. Absent: the parts of the work have leases of their own. */
  renew?(held: Held, leaseMs: number): Promise<boolean>
  /** Resolves when there is nothing more to do now. An error is reported, and makes a pause. */
  work(held: Held, turn: Turn): Promise<Next>
  /** Changes nothing that another one holds: it is also called after the lease was lost. */
  release(held: Held, next: Next): Promise<void>
  /** For logs, without secrets. */
  about(id: string): string
  /** Before the first look. */
  prepare?(): Promise<void>
  /** Calls `wake` when something may have become due. Returns what ends that. */
  subscribe?(wake: () => void): () => void
  /** More is due than there is room for: turns that wait for news should end. */
  onCrowded?(): void
}
/** What the catalog says of a job. */
export interface Plan {
  readonly does: string
  /** How often a process looks for what is due. It is also woken, where that matters. */
  readonly everyMs: number
  /** The shortest such time, if it is scaled with the pace of the sandbox. */
  readonly leastMs?: number
  /** In one process. */
  readonly atOnce: number
}
export interface Job<Held> extends Plan, Work<Held> {
  readonly name: string
}
export interface LoopOptions {
  instance: string
  scale: number
  onError(error: unknown, what: string): void
  onLost(what: string): void
}
export interface Loop {
  start(): void
  /** Something may have become due; what has this id is not left alone any longer. */
  wake(id?: string): void
  /** Works on it now, or after the turn that is under way here. Resolves when that has ended. */
  run(id: string): Promise<void>
  /** Ends its turn, if it is under way here. */
  stop(id: string): void
  /** Ends all turns, and resolves when they have ended. */
  close(): Promise<void>
}
interface Run {
  ended: Promise<void>
  stop: AbortController
}

/** The pauses after errors: each is twice as long as the last one. */
const firstPauseMs = 5_000
const longestPauseMs = 60_000
export const everyMsOf = ({ everyMs, leastMs }: Pick<Plan, 'everyMs' | 'leastMs'>, scale: number): number =>
  leastMs === undefined ? everyMs : Math.max(leastMs, everyMs * scale)

export function createLoop<Held>(job: Job<Held>, { instance, scale, onError, onLost }: LoopOptions): Loop {
  const running = new Map<string, Run>()
  const resting = new Map<string, NodeJS.Timeout>()
  const failures = new Map<string, number>()
  /** What was due at the last look, and has not begun. */
  let queue: string[] = []
  let isClosed = false
  let isCrowded = false
  let looking: Promise<void> | undefined
  let again: Why | undefined // while one looks
  let timer: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined

  /** False if another one has it. */
  async function take(id: string, stop: AbortSignal): Promise<boolean> {
    const granted = readClock()
    const held = await job.take(id, { holder: `${instance} ${randomUUID()}`, leaseMs })
    if (held === undefined) {
      failures.delete(id)
      return false
    }
    const { renew } = job
    const lease = renew ? createLease({ granted, renew: () => renew(held, leaseMs) }) : unleased()
    const next = await turn(id, held, lease, stop)
    lease.end()
    if (next === 'lost') onLost(job.about(id))
    const failed = failures.has(id)
    await job.release(held, next === 'lost' ? { dueInMs: 0 } : next).catch((error: unknown) => {
      if (next !== 'lost' && !failed) onError(error, job.about(id)) // the lease ends by itself
    })
    if (next !== 'lost' && next.holdMs !== undefined) rest(id, next.holdMs)
    return true
  }
  async function turn(id: string, held: Held, lease: Lease, stop: AbortSignal): Promise<Next | 'lost'> {
    try {
      if (stop.aborted) return { dueInMs: 0 }
      lease.check() // taking it may have taken long
      const next = await job.work(held, {
        signal: AbortSignal.any([stop, lease.signal]),
        mayGoOn: () => lease.isHeld() && !stop.aborted,
        isHeld: lease.isHeld,
        check: lease.check,
        isCrowded: () => isCrowded,
      })
      failures.delete(id)
      return lease.isHeld() ? next : 'lost'
    } catch (error) {
      if (error instanceof LostLease || !lease.isHeld()) return 'lost'
      return stop.aborted ? { dueInMs: 0 } : failed(id, error)
    }
  }
  function failed(id: string, error: unknown): Next {
    onError(error, job.about(id))
    const inARow = (failures.get(id) ?? 0) + 1
    failures.set(id, inARow)
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (inARow - 1)) * scale
    return { dueInMs: pauseMs, restMs: pauseMs, holdMs: pauseMs }
  }
  function rest(id: string, milliseconds: number): void {
    if (isClosed) return
    clearTimeout(resting.get(id))
    const wakes = setTimeout(wake, milliseconds, id)
    resting.set(id, wakes)
  }
  function begin(id: string): Promise<void> {
    const stop = new AbortController()
    const ended = take(id, stop.signal)
      .catch((error: unknown) => {
        rest(id, failed(id, error).dueInMs)
        return false
      })
      .then((wasTaken) => {
        running.delete(id)
        if (wasTaken) look('news')
        else fill()
      })
    running.set(id, { ended, stop })
    return ended
  }

  async function lookOnce(why: Why): Promise<void> {
    const room = job.atOnce - running.size
    if (room <= 0 && !job.onCrowded) return
    const found = await job.due(job.atOnce + resting.size, why)
    if (isClosed) return
    const due = found.filter((id) => !running.has(id) && !resting.has(id))
    const free = Math.max(0, job.atOnce - running.size)
    isCrowded = due.length > free
    queue = due
    fill()
    if (isCrowded) job.onCrowded?.()
  }
  /** What another one has leaves its place to the next. */
  function fill(): void {
    while (!isClosed && running.size < job.atOnce) {
      const id = queue.shift()
      if (id === undefined) return
      if (!running.has(id) && !resting.has(id)) void begin(id)
    }
  }
  function look(why: Why): void {
    if (isClosed) return
    again = looking && (again === 'time' ? again : why)
    looking ??= lookOnce(why)
      .catch((error: unknown) => onError(error, `looking for ${job.name}`))
      .finally(() => {
        looking = undefined
        if (again) look(again)
      })
  }
  function wake(id?: string): void {
    clearTimeout(resting.get(id ?? ''))
    resting.delete(id ?? '')
    look('news')
  }

  return {
    start() {
      const prepared = Promise.resolve(job.prepare?.()).catch((error: unknown) => onError(error, job.name))
      unsubscribe = job.subscribe?.(() => look('news'))
      timer = setInterval(look, everyMsOf(job, scale), 'time')
      void prepared.then(() => look('time'))
    },
    wake,
    async run(id) {
      await running.get(id)?.ended
      if (!isClosed) await (running.get(id)?.ended ?? begin(id))
    },
    stop: (id) => running.get(id)?.stop.abort(),
    async close() {
      isClosed = true
      unsubscribe?.()
      clearInterval(timer)
      for (const one of resting.values()) clearTimeout(one)
      for (const { stop } of running.values()) stop.abort()
      await looking
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
