// What the sandbox does with every simulator: it stores the writes across restarts, and refuses calls above the limits.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { connectors } from './registry.ts'
import { simulators } from './simulators.ts'

const accountsOfOneLocation = new Set(['bigcommerce', 'clover', 'toast', 'woocommerce'])
/** Platforms without a list of payment methods: the records are fixed. */
const fixedMethods = new Set(['shopify', 'square'])

it.each(Object.keys(simulators))('%s has what it answered when it is killed right then', async (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  const file = join(folder, 'log.jsonl')
  const start = (now: number, stored = file) =>
    createSandbox({
      simulators: { [platform]: simulators[platform]! },
      size: platform === 'square' ? 'full' : 'small', // one of the size that users have
      file: stored,
      now: () => now,
    })
  const idsIn = (sandbox: Awaited<ReturnType<typeof start>>) =>
    sandbox.simulator(platform).tenants.map(({ records }) => Object.values(records).map((one) => one.ids().toSorted()))
  try {
    const first = await start(Date.now())
    for (const { vertical, records } of first.simulator(platform).tenants)
      for (const entityType of Object.keys(records)) {
        const path = `/_sandbox/${platform}/tenants/${vertical}/${entityType}?add=1`
        const { ids } = (await (await fetch(`${first.url}${path}`, { method: 'POST' })).json()) as { ids: string[] }
        const isFixed =
          (entityType === 'location' && accountsOfOneLocation.has(platform)) ||
          (entityType === 'payment_method' && fixedMethods.has(platform))
        expect(ids, entityType).toHaveLength(isFixed ? 0 : 1)
      }
    const kept = join(folder, 'kept.jsonl')
    copyFileSync(file, kept)
    const second = await start(Date.now() + 60_000, kept)
    expect(idsIn(second)).toEqual(idsIn(first))
    await Promise.all([first.close(), second.close()])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.each(Object.keys(simulators))('%s has as many calls in progress as its connector allows', async (platform) => {
  const sandbox = await createSandbox({ simulators: { [platform]: simulators[platform]! }, size: 'small' })
  const { concurrency } = sandbox.simulator(platform)
  await sandbox.close()
  expect(concurrency).toBe(connectors[platform]?.concurrency)
})
it.each([
  [
    'xero',
    '/api.xro/2.0/Contacts',
    'sandbox-xero-access',
    { 'x-rate-limit-problem': 'concurrent', 'retry-after': '1' },
  ],
  [
    'clover',
    '/v3/merchants/H4RB0VRK1TCHN/customers',
    'sandbox-clover-access-restaurant',
    { 'x-ratelimit-tokenconcurrentlimit': '5', 'retry-after': '1' },
  ],
] as const)('%s refuses the sixth call at once, until one has ended', async (platform, path, token, expected) => {
  const sandbox = await createSandbox({
    simulators: { [platform]: simulators[platform]! },
    size: 'small',
    paceScale: 0.0001,
  })
  const held = Promise.withResolvers<void>()
  const simulator = sandbox.simulator(platform)
  const { handle } = simulator
  let inProgress = 0
  simulator.handle = async (request) => {
    inProgress++
    await held.promise
    return handle(request)
  }
  const call = () =>
    fetch(`${sandbox.origin(platform)}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
  try {
    const calls = []
    for (let count = 0; count < 5; count++) {
      calls.push(call())
      await expect.poll(() => inProgress).toBe(count + 1)
    }
    const sixth = await call()
    expect(sixth.status).toBe(429)
    expect(Object.fromEntries(sixth.headers)).toMatchObject(expected)
    held.resolve()
    for (const response of await Promise.all(calls)) expect(response.status).not.toBe(429)
    await expect.poll(async () => (await call()).status).not.toBe(429)
  } finally {
    held.resolve()
    await sandbox.close()
  }
})
