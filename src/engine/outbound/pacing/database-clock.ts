// The database's clock, as seen from this process. One response only shows that the database read its clock at some
// time between request and response. All recent responses together leave a much narrower range than a slow one alone.
export interface ClockSample {
  moment: number // the database's
  askedAt: number // on our clock, as the next one
  answered: number
}
export interface DatabaseClock {
  /**
   * The moment on our own clock. If it is known less exactly than `withinMs`, a few more are read from the database.
   */
  ours(sample: ClockSample, withinMs: number): Promise<number>
}
export interface DatabaseClockOptions {
  now(): number
  moment(): Promise<number>
}
/** How far the database's clock is ahead of ours. */
interface Bounds {
  least: number
  most: number
}
/** Clocks drift: responses older than two periods do not count. */
const periodMs = 10_000
const asksPerPeriod = 3
/** Two correct clocks drift apart by less in that time. */
const driftMs = 1

export function createDatabaseClock({ now, moment }: DatabaseClockOptions): DatabaseClock {
  let began = Number.NEGATIVE_INFINITY
  let asks = 0
  let ofPeriod: Bounds | undefined
  let ofBoth: Bounds | undefined // this period and the one before

  function learn({ moment, askedAt, answered }: ClockSample): Bounds {
    if (answered - began > periodMs) {
      ofBoth = answered - began > 2 * periodMs ? undefined : ofPeriod
      ofPeriod = undefined
      asks = 0
      began = answered
    }
    const sample = { least: moment - answered, most: moment - askedAt }
    ofPeriod = agreed(ofPeriod, sample)
    ofBoth = agreed(ofBoth, sample)
    return ofBoth
  }
  async function ask(): Promise<ClockSample> {
    const askedAt = now()
    return { moment: await moment(), askedAt, answered: now() }
  }
  return {
    async ours(sample, withinMs) {
      let ahead = learn(sample)
      try {
        while ((ahead.most - ahead.least) / 2 > withinMs && asks++ < asksPerPeriod) ahead = learn(await ask())
      } catch {} // then with what is known
      return sample.moment - (ahead.least + ahead.most) / 2
    },
  }
}

/** The instants that both allow. If nothing is left, a clock was set, and the newer one is right. */
function agreed(before: Bounds | undefined, newer: Bounds): Bounds {
  if (!before) return newer
  const both = { least: Math.max(before.least, newer.least), most: Math.min(before.most, newer.most) }
  return both.least > both.most + driftMs ? newer : both
}
