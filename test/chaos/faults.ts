// The faults of a run: one call in five fails.
import type { Fault, FaultKind } from '../../src/sandbox/simulator.ts'

/** Longer than the service waits for a response. */
export const callTimeoutMs = 2000
const stallMs = 3000

/** In percent of all native calls. Faults that delay a caller or an account are rarer, because they cost time. */
const shares: Partial<Record<FaultKind, number>> = {
  reset_before: 3,
  reset_after: 3,
  error_before: 2,
  error_after: 3,
  unavailable: 1.5,
  throttle: 0.5,
  throttle_silent: 1.5,
  stall: 0.5,
  slow_body: 0.5,
  truncated: 1.5,
  malformed: 1.5,
  html: 1,
  expired_token: 0.5,
}
/**
 * In percent of the calls of a platform that declares the shapes of its responses: what something in between sends
 * instead.
 */
const foreignShare = 3
const foreignResponses: Pick<Fault, 'status' | 'body'>[] = [
  { status: 200, body: null },
  { status: 200, body: [] },
  { status: 200, body: { message: 'Service temporarily unavailable' } },
  { status: 200, body: 'ok' },
  { status: 404, body: '<html><body>404 Not Found</body></html>' },
  { status: 400, body: {} },
]
export function foreignFaults(share = foreignShare / 100, statuses: readonly number[] = [200, 400, 404]): Fault[] {
  const responses = foreignResponses.filter(({ status }) => statuses.includes(status as number))
  return (['foreign_before', 'foreign_after'] as const).flatMap((kind) =>
    responses.map((response) => ({ kind, ...response, probability: share / (2 * responses.length) })),
  )
}
/** After these only the platform knows whether the work was done. */
export const ambiguousKinds: ReadonlySet<FaultKind> = new Set([
  'reset_before',
  'reset_after',
  'error_before',
  'error_after',
  'unavailable',
  'stall',
  'truncated',
  'malformed',
  'html',
  'foreign_before',
  'foreign_after',
])

/** Calls between two faults that are forced. */
const apart = 1
/** Each kind once, whatever chance brings: a short run could miss a rare one. */
export const forcedFaults = (faults: readonly Fault[]): Fault[] =>
  faults
    .filter(({ kind }, index) => faults.findIndex((other) => other.kind === kind) === index)
    .map(({ probability: _, ...fault }, index) => ({ ...fault, times: 1, skip: (index + 1) * apart }))

/** The sandbox tries one fault after the other, so each share refers to the calls that earlier faults let pass. */
export function chaoticFaults(): Fault[] {
  let passed = 1
  return Object.entries(shares).map(([kind, percent]) => {
    const share = percent / 100
    const fault: Fault = {
      kind: kind as FaultKind,
      probability: share / passed,
      delayMs: kind === 'stall' ? stallMs : 400,
    }
    passed -= share
    return fault
  })
}
