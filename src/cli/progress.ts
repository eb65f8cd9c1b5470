// How far a long command is: a line that is drawn again on a terminal, a plain line every few seconds elsewhere.
import type { Progress } from './command.ts'

export interface Reading {
  name: string
  count: number
  total?: number
  perSecond: number
  secondsLeft?: number
  elapsedMs: number
  waitingMs?: number // for a slot within the platform's limit
  platform?: string
}
export type ShowReading = (reading: Reading, ended: boolean, message?: string) => void

const rateWindowMs = 10_000

/** Thousands apart, as in 1 234 567. */
export const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ' ')

export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const rate = (perSecond: number) =>
  `${perSecond >= 10 || perSecond === 0 ? grouped(Math.round(perSecond)) : perSecond.toFixed(1)}/s`

export function describeReading(
  { name, count, total, perSecond, secondsLeft, elapsedMs, waitingMs, platform }: Reading,
  bar = 0,
): string {
  const share = total ? Math.min(1, count / total) : undefined
  const drawn = share !== undefined && bar > 0 ? [`[${'█'.repeat(Math.round(share * bar)).padEnd(bar, '·')}]`] : []
  return [
    name,
    ...drawn,
    total ? `${grouped(count)} of ${grouped(total)} (${Math.floor((share ?? 0) * 100)} %)` : grouped(count),
    rate(perSecond),
    secondsLeft === undefined ? clock(elapsedMs) : `${clock(secondsLeft * 1000)} left`,
    ...(waitingMs && waitingMs >= 500
      ? [`waiting ${(waitingMs / 1000).toFixed(waitingMs < 1000 ? 1 : 0)} s for ${platform ?? 'the platform'}`]
      : []),
  ].join('  ')
}

export interface ProgressOptions {
  name: string
  total?: number | undefined
  done?: number | undefined
  everyMs: number
  show: ShowReading
  now?(): number
}

export function createProgress({
  name,
  total: expected,
  done = 0,
  everyMs,
  show,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  const began = now()
  let count = done
  let total = expected
  let waitedMs = 0
  let blockedUntil = 0 // the window is used up until then
  let platform: string | undefined
  let samples = [{ at: began, count: done }]
  function reading(): Reading {
    const at = now()
    samples = [
      ...samples.filter((sample, index) => sample.at > at - rateWindowMs || index === samples.length - 1),
      { at, count },
    ]
    const oldest = samples[0] as (typeof samples)[number]
    const seconds = (at - oldest.at) / 1000
    const perSecond = seconds > 0 ? (count - oldest.count) / seconds : 0
    // A total from an index can be lower than what comes: then nothing is known about the end.
    const known = total !== undefined && total > 0 && count <= total ? total : undefined
    // Between two large pages, the rate of the last seconds is zero.
    const steady = perSecond || (at > began ? ((count - done) * 1000) / (at - began) : 0)
    const waiting = Math.max(waitedMs, blockedUntil - at)
    waitedMs = 0
    return {
      name,
      count,
      total: known,
      perSecond,
      ...(known !== undefined && steady > 0 ? { secondsLeft: (known - count) / steady } : {}),
      elapsedMs: at - began,
      ...(waiting > 0 ? { waitingMs: waiting, platform } : {}),
    }
  }
  const timer = setInterval(() => show(reading(), false), everyMs)
  timer.unref()
  return {
    expect(found) {
      total = found
    },
    advance(more, state) {
      count += more
      waitedMs = Math.max(waitedMs, state?.waitedMs ?? 0)
      platform = state?.platform ?? platform
      if (state?.left === 0 && state.resetSeconds) blockedUntil = now() + state.resetSeconds * 1000
    },
    end(message) {
      clearInterval(timer)
      const elapsedMs = now() - began
      show(
        {
          name,
          count,
          total: total !== undefined && count <= total ? total : undefined,
          elapsedMs,
          perSecond: elapsedMs > 0 ? ((count - done) * 1000) / elapsedMs : 0,
        },
        true,
        message,
      )
    },
  }
}
