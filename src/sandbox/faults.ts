// The pending faults of one platform.
import { type Fault, type FaultKind, faultKinds, type WireRequest } from './simulator.ts'

type Call = Pick<WireRequest, 'method' | 'path'> & Partial<Pick<WireRequest, 'query' | 'body'>>
export interface Faults {
  add(fault: Fault): void
  list(): Fault[] // with the remaining `skip` and `times`
  clear(): void
  /** Resolves with the next `clear`, which also ends the stalls of calls that are in progress. */
  cleared(): Promise<void>
  /** Returns the oldest fault that matches the call and decrements its counts. */
  take(request: Call): Fault | undefined
  /** The same for a webhook that the platform sends. */
  takeWebhook(): Fault | undefined
}

export function createFaults(random: () => number = Math.random): Faults {
  let waiting: Fault[] = []
  const bound = new WeakMap<Fault, string>() // a fault that repeats -> the call that it belongs to
  let clearing = Promise.withResolvers<void>()
  return {
    add(fault) {
      if (!isFaultKind(fault.kind)) throw new TypeError(`unknown fault kind: ${String(fault.kind)}`)
      waiting.push({ ...fault })
    },
    list: () => waiting.map((fault) => ({ ...fault })),
    clear() {
      waiting = []
      clearing.resolve()
      clearing = Promise.withResolvers()
    },
    cleared: () => clearing.promise,
    take(request) {
      const call = identityOf(request)
      const isMatch = (fault: Fault) =>
        !isWebhookFault(fault) && matches(fault, request) && (bound.get(fault) ?? call) === call
      const fault = takeFirst(isMatch)
      if (fault?.repeats) bound.set(fault, call)
      return fault
    },
    takeWebhook: () => takeFirst((fault) => isWebhookFault(fault) && fault.times !== 0),
  }

  function takeFirst(isMatch: (fault: Fault) => boolean): Fault | undefined {
    for (const fault of waiting) {
      if (!isMatch(fault)) continue
      if (fault.skip) {
        fault.skip -= 1
        continue
      }
      if (random() >= (fault.probability ?? 1)) continue
      if (fault.times !== undefined) {
        fault.times -= 1
        waiting = waiting.filter(({ times }) => times === undefined || times > 0)
      }
      return fault
    }
    return undefined
  }
}

const identityOf = ({ method, path, query, body }: Call): string =>
  JSON.stringify([method, path, query?.toString(), body])
const isWebhookFault = ({ kind }: Fault): boolean => kind.startsWith('webhook_')

export const isFaultKind = (kind: unknown): kind is FaultKind =>
  typeof kind === 'string' && Object.hasOwn(faultKinds, kind)

const matches = ({ method, path, times }: Fault, request: Pick<WireRequest, 'method' | 'path'>): boolean =>
  times !== 0 &&
  (method === undefined || method.toUpperCase() === request.method) &&
  (path === undefined || request.path.includes(path))
