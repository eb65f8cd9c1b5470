import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { burst, burstMs, createLoad, few, nextCap, patience } from './load.ts'

it('lets in less while the queue stands, more again the more the process rests, and forgives a single late turn', () => {
  const any = Number.POSITIVE_INFINITY
  const busy = { rested: 0, working: 500, turn: 2, lateMs: burstMs }
  expect(nextCap(any, { ...busy, late: patience - 1 })).toBe(any)
  expect(nextCap(any, { ...busy, late: patience })).toBe(250)
  let cap = any
  for (let late = 1; late < 50; late++) cap = nextCap(cap, { ...busy, late })
  expect(cap).toBe(few)
  expect(nextCap(cap, { ...busy, late: 1 })).toBe(cap)
  expect(nextCap(cap, { ...busy, late: 0 })).toBe(cap)
  const resting = { late: 0, lateMs: 0, working: few, turn: 0.9 }
  expect(nextCap(cap, { ...resting, rested: 0.2 })).toBeLessThan(nextCap(cap, { ...resting, rested: 0.5 }))
  // A second of nothing to do but to wait for a platform: as many as ever.
  for (let probe = 0; probe < 200; probe++) cap = nextCap(cap, { ...resting, working: Math.floor(cap), rested: 0.9 })
  expect(cap).toBe(any)
})

it('lets a burst in where the process was not behind, until it has been late for a while', () => {
  const late = { late: patience, lateMs: burstMs / 2, rested: 0, working: 60, turn: 4 }
  const cap = nextCap(Number.POSITIVE_INFINITY, late)
  expect(cap).toBe(burst)
  expect(nextCap(cap, { ...late, late: patience + 1 })).toBe(burst)
  expect(nextCap(cap, { ...late, lateMs: burstMs })).toBe(15)
  expect(nextCap(15, late)).toBe(15 / 4) // behind already: another burst is more of the same
  expect(nextCap(Number.POSITIVE_INFINITY, { ...late, working: 4_000 })).toBe(1_000) // more than a burst
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
