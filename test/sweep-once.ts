import { expect } from 'vitest'
import type { Engine } from '../src/engine/engine.ts'

/** Takes up every interrupted write once. Returns how many were settled. */
export async function sweepOnce({ sweep }: Pick<Engine, 'sweep'>): Promise<number> {
  let settled = 0
  for (const keys of (await sweep.due()).values())
    settled += await sweep.settle(keys, { onError: (error) => expect.fail(String(error)) })
  return settled
}
