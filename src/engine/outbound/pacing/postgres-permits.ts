// Concurrent calls of an account at several instances over one PostgreSQL. An instance holds permits while it has calls
// under way: one permit serves one call after another without a round trip. See
// docs/decisions/0015-instances-share-permits.md.
import type { Store } from '../../../store/store.ts'
import type { Clock } from './clock.ts'
import type { Permits, SlotListener } from './slot-source.ts'

export interface PermitsContext {
  pacing: Pick<NonNullable<Store['pacing']>, 'sharePermits'>
  clock: Clock
  instance: string
  closed: boolean
}
/** An instance reports this often while it has too few permits, and this long after it needs fewer than it has. */
const adjustMs = 50
/** And this often while it has what it needs: others may be short. */
const reportMs = 250
/** An instance that cannot report begins no call after this. */
const validMs = 2_000
/** A call that it has under way then, or had when it was killed, counts until this long after its last report. */
const expiryMs = 10_000

export class PostgresPermits implements Permits {
  readonly #context: PermitsContext
  readonly #owner: string
  readonly #concurrency: number
  readonly #queue: SlotListener
  #underWay = 0
  #wanted = 0
  #permits = 0
  #validUntil = Number.NEGATIVE_INFINITY
  #reported = 0 // what was wanted at the last report
  #reportedAt = Number.NEGATIVE_INFINITY
  #reporting = false
  #isShort = false // after the last report
  #surplusSince: number | undefined
  #timer: unknown
  #timerAt = 0
  #background = 0 // calls that background work wants to begin
  #granted = 0 // of them, since the last report
  #grantAgainMs = 0 // after a report that granted none

  constructor(context: PermitsContext, owner: string, concurrency: number, queue: SlotListener) {
    this.#context = context
    this.#owner = owner
    this.#concurrency = concurrency
    this.#queue = queue
  }
  allowed(): number {
    return this.#context.clock.now() < this.#validUntil ? this.#permits : 0
  }
  pending(): boolean {
    return this.#wanted > this.allowed() && !this.#isShort
  }
  idle(): boolean {
    return this.#wanted + this.#background === 0 && this.#reported === 0 && !this.#reporting
  }
  /** Only what the database granted for it: permits that callers no longer need are theirs. */
  allowedInBackground(): number {
    return Math.min(this.#granted, this.allowed())
  }
  beginInBackground(): void {
    this.#granted--
  }
  settle(underWay: number, waiting: number, background: number): void {
    this.#underWay = underWay
    this.#background = Math.min(background, Math.max(0, Math.floor(this.#concurrency / 2) - underWay))
    this.#wanted = Math.min(this.#concurrency, underWay + waiting)
    if (this.#reporting || this.#context.closed) return
    const now = this.#context.clock.now()
    const allowed = this.allowed()
    const lacksGrant = this.#background > 0 && this.allowedInBackground() === 0
    this.#surplusSince =
      this.#wanted + Math.min(this.#granted, this.#background) < allowed ? (this.#surplusSince ?? now) : undefined
    if (this.#wanted + this.#background === 0 && this.#reported === 0) this.#wakeAt(Number.POSITIVE_INFINITY)
    else if (this.#wanted <= allowed && lacksGrant && now - this.#reportedAt >= this.#grantAgainMs) void this.#report()
    else if (this.#wanted <= allowed && lacksGrant) this.#wakeAt(this.#reportedAt + this.#grantAgainMs)
    else if (this.#wanted <= allowed)
      this.#wakeAt(Math.min((this.#surplusSince ?? now) + adjustMs, this.#reportedAt + reportMs))
    else if (this.#isShort) this.#wakeAt(this.#reportedAt + adjustMs)
    else void this.#report()
  }
  #wakeAt(at: number): void {
    const { clock } = this.#context
    if (at === this.#timerAt) return
    clock.cancel(this.#timer)
    this.#timerAt = at
    if (at < Number.POSITIVE_INFINITY)
      this.#timer = clock.after(Math.max(1, Math.ceil(at - clock.now())), () => void this.#report())
  }
  async #report(): Promise<void> {
    const { pacing, clock, instance } = this.#context
    const wanted = this.#wanted
    const background = this.#background
    // The database counts with this from the report on, also if its response is lost.
    const used = Math.max(this.#underWay, Math.min(this.allowed(), wanted))
    this.#permits = Math.min(this.#permits, used)
    this.#wakeAt(Number.POSITIVE_INFINITY)
    this.#reporting = true
    this.#surplusSince = undefined
    this.#reported = wanted + background
    this.#granted = 0
    this.#reportedAt = clock.now()
    try {
      const report = { instance, concurrency: this.#concurrency, used, wanted, expiryMs, background }
      this.#permits = await pacing.sharePermits(this.#owner, report)
      this.#validUntil = this.#reportedAt + validMs
      this.#isShort = this.#permits < wanted
      this.#granted = Math.max(0, this.#permits - wanted)
      this.#reported = wanted + this.#granted
      this.#grantAgainMs = background > 0 && this.#granted === 0 ? reportMs : 0
      this.#reporting = false
    } catch (error) {
      this.#isShort = wanted > 0
      this.#grantAgainMs = reportMs
      this.#reporting = false
      if (wanted === 0) this.#reported = 0 // what the database has of it expires
      return this.#queue.failAll(error)
    }
    this.#queue.dispatch()
  }
}
