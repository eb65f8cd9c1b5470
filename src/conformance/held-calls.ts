import type { Simulator, WireRequest } from '../sandbox/simulator.ts'

export interface HeldCalls {
  /** Resolves when so many calls wait at the platform. */
  came(count: number): Promise<void>
  /** Lets them go on. Later calls are not held. */
  release(): void
}

/** Holds calls at the platform, so that a test can wait for what must happen before they are answered. */
export function holdCalls(simulator: Simulator, isHeld: (request: WireRequest) => boolean): HeldCalls {
  const { handle } = simulator
  const released = Promise.withResolvers<void>()
  let changed = Promise.withResolvers<void>()
  let count = 0
  simulator.handle = async (request) => {
    if (isHeld(request)) {
      count++
      changed.resolve()
      changed = Promise.withResolvers()
      await released.promise
    }
    return handle(request)
  }
  return {
    async came(wanted) {
      while (count < wanted) await changed.promise
    },
    release() {
      simulator.handle = handle
      released.resolve()
    },
  }
}
