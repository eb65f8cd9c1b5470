// The sandbox stores the writes to every simulator across restarts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { simulators } from './simulators.ts'

it.each(Object.keys(simulators))('%s has its writes after a restart', async (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  const start = (now: number) =>
    createSandbox({
      simulators: { [platform]: simulators[platform]! },
      size: 'full',
      file: join(folder, 'log.jsonl'),
      now: () => now,
    })
  const idsIn = (sandbox: Awaited<ReturnType<typeof start>>) =>
    sandbox.simulator(platform).tenants.map(({ records }) => Object.values(records).map((one) => one.ids().toSorted()))
  try {
    const first = await start(Date.now())
    for (const { records } of first.simulator(platform).tenants)
      for (const one of Object.values(records)) expect(one.add(1)).toHaveLength(1)
    const written = idsIn(first)
    await first.close()
    const second = await start(Date.now() + 60_000)
    const restored = idsIn(second)
    await second.close()
    expect(restored).toEqual(written)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
