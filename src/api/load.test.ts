import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLoad, few, nextCap, patience } from './load.ts'

it('lets in less while the queue stands, more again the more the process rests, and forgives a burst', () => {
  const any = Number.POSITIVE_INFINITY
  const busy = { rested: 0, working: 500, turn: 2 }
  expect(nextCap(any, { ...busy, late: patience - 1 })).toBe(any)
  expect(nextCap(any, { ...busy, late: patience })).toBe(250)
  let cap = any
  for (let late = 1; late < 50; late++) cap = nextCap(cap, { ...busy, late })
  expect(cap).toBe(few)
  expect(nextCap(cap, { ...busy, late: 1 })).toBe(cap)
  expect(nextCap(cap, { ...busy, late: 0 })).toBe(cap)
  const resting = { late: 0, working: few, turn: 0.9 }
  expect(nextCap(cap, { ...resting, rested: 0.2 })).toBeLessThan(nextCap(cap, { ...resting, rested: 0.5 }))
  // A second of nothing to do but to wait for a platform: as many as ever.
  for (let probe = 0; probe < 200; probe++) cap = nextCap(cap, { ...resting, working: Math.floor(cap), rested: 0.9 })
  expect(cap).toBe(any)
})

it('refuses while the process cannot keep up, but never the only few requests, and lets all in again afterwards', async () => {
  let working = 100
  const load = createLoad({ lagMs: 30, working: () => working }) // far above what a busy machine is late by itself
  while (load.admits()) {
    const until = performance.now() + 80
    while (performance.now() < until);
    await sleep(1)
  }
  working = 1
  expect(load.admits()).toBe(true)
  working = 100
  for (let admitted = 0; admitted < 10; ) {
    admitted = load.admits() ? admitted + 1 : 0
    await sleep(5)
  }
  load.close()
})
