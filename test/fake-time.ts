// Time that passes only when all work is done. Several processes can share it; each can pause, or run its timers late.
import type { Clock } from '../src/engine/outbound/pacing/clock.ts'

interface Timer {
  at: number
  run: () => void
  owner: FakeProcess
}

export class FakeTime {
  now = 1_000_000
  readonly timers: Timer[] = []
  #pending = 0
  #settled: (() => void)[] = []

  /** Work outside of the process, such as a query: time stops until it is done. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.#pending++
    try {
      return await work()
    } finally {
      this.#pending--
      if (this.#pending === 0) for (const resolve of this.#settled.splice(0)) resolve()
    }
  }
  async #settle(): Promise<void> {
    do {
      if (this.#pending > 0) await new Promise<void>((resolve) => this.#settled.push(resolve))
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#pending > 0)
  }
  async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds
    for (;;) {
      await this.#settle()
      const next = this.timers
        .filter(({ owner }) => !owner.paused)
        .reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined)
      if (!next || next.at > end) break
      this.now = Math.max(this.now, next.at)
      this.timers.splice(this.timers.indexOf(next), 1)
      next.run()
    }
    this.now = end
  }
}

export class FakeProcess implements Clock {
  readonly time: FakeTime
  paused = false
  lateMs = 0 // every timer and every response
  answerMs = 0 // how long a response takes

  constructor(time: FakeTime) {
    this.time = time
  }
  readonly now = (): number => this.time.now
  after(milliseconds: number, run: () => void): unknown {
    const timer = { at: this.time.now + milliseconds + this.lateMs, run, owner: this }
    this.time.timers.push(timer)
    return timer
  }
  cancel(timer: unknown): void {
    const index = this.time.timers.indexOf(timer as Timer)
    if (index >= 0) this.time.timers.splice(index, 1)
  }
  /** Resolves when the process receives a response. */
  async turn(): Promise<void> {
    if (this.paused || this.lateMs + this.answerMs > 0)
      await new Promise<void>((resolve) => this.after(this.answerMs, resolve))
  }
}
