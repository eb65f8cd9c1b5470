// Is a limit used completely and never exceeded? For each of the seven limits, with one and with four instances: demand
// above the limit from three callers, and an exact check at the platform.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Rate } from '../src/contract/connector.ts'
import { createMemorySlots } from '../src/engine/outbound/pacing/memory-slots.ts'
import { createPacer, type Pacer } from '../src/engine/outbound/pacing/pacer.ts'
import { createPostgresSlots } from '../src/engine/outbound/pacing/postgres-slots.ts'
import { createTransport } from '../src/engine/outbound/transport.ts'
import { createReferee } from '../src/sandbox/referee.ts'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import { createVault } from '../src/store/vault.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { table } from './report.ts'

const limits: Rate[][] = [
  [{ requests: 1, seconds: 1 }],
  [{ requests: 5, seconds: 1 }],
  [
    { requests: 5, seconds: 1 },
    { requests: 300, seconds: 60 },
  ],
  [
    { requests: 10, seconds: 1 },
    { requests: 100, seconds: 60 },
  ],
  [{ requests: 100, seconds: 60 }],
  [{ requests: 1, seconds: 10 }],
  [{ requests: 5, seconds: 6 }],
]
const callers = ['a', 'b', 'c']
const nameOf = (rates: readonly Rate[]) =>
  rates.map(({ requests, seconds }) => `${requests}/${seconds} s`).join(' and ')

export interface PacingResult {
  limit: string
  instances: number
  scale: number
  used: number // of what is allowed
  violations: number
  slowest: number // of its fair share
}

/** One limit for `windows` times its longest window, scaled by `scale`. */
async function measure(
  rates: Rate[],
  pacers: readonly Pacer[],
  scale: number,
  windows: number,
): Promise<Omit<PacingResult, 'instances'>> {
  const longest = Math.max(...rates.map(({ seconds }) => seconds)) * 1000 * scale
  const span = longest * windows
  const allowed = Math.min(...rates.map(({ requests, seconds }) => (span / (seconds * 1000 * scale)) * requests))
  const referee = createReferee({ limit: rates, now: () => performance.now(), paceScale: scale })
  const platform = createServer((_, response) => {
    referee.call('tenant')
    response.end('{}')
  })
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  const transport = createTransport()
  await Promise.all(
    pacers.map(() =>
      transport.exchange({ method: 'GET', origin, sandbox: true, path: '/', headers: {}, timeoutMs: 5000 }),
    ),
  ) // connections are open before the measurement starts
  await new Promise((resolve) => setTimeout(resolve, longest)) // and those first calls are outside of every window
  referee.clear()
  const served = new Map(callers.map((caller) => [caller, 0]))
  const began = performance.now()
  const account = randomUUID()
  await Promise.all(
    callers.flatMap((caller) =>
      pacers.map(async (pacer) => {
        // Each caller always has several waiting calls on each instance, more than the limit allows.
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            while (performance.now() - began < span) {
              const call = {}
              const limits = { owner: account, rates }
              const taken = await pacer.take({
                ...limits,
                caller,
                call,
                maxWaitMs: Math.max(0, span - (performance.now() - began)),
              })
              if ('wouldWaitMs' in taken) return
              served.set(caller, (served.get(caller) ?? 0) + 1)
              await transport.exchange({
                method: 'GET',
                origin,
                sandbox: true,
                path: '/',
                headers: {},
                timeoutMs: 5000,
                onSent: () => pacer.sent(limits, call),
                onResponse: () => pacer.responded(limits, call),
              })
              pacer.release(limits, call)
            }
          }),
        )
      }),
    ),
  )
  const total = [...served.values()].reduce((sum, count) => sum + count, 0)
  await transport.close()
  platform.close()
  return {
    limit: nameOf(rates),
    scale,
    used: total / allowed,
    violations: referee.violations(),
    slowest: (Math.min(...served.values()) * callers.length) / total,
  }
}

export async function benchPacing(count: number, only = ''): Promise<PacingResult[]> {
  const postgres = await startPostgres()
  const results: PacingResult[] = []
  try {
    const exact = limits.filter((one) => nameOf(one) === only)
    for (const rates of exact.length > 0 ? exact : limits.filter((one) => nameOf(one).startsWith(only))) {
      // Long windows are scaled down, but not below a second, and calls not closer than 30 ms, because network latency
      // does not scale with them.
      const longest = Math.max(...rates.map(({ seconds }) => seconds))
      const scale = Math.min(
        1,
        Math.max(...rates.map(({ requests, seconds }) => Math.max(1, requests * 0.03) / seconds)),
      )
      // The given number for a limit with one window. With two windows, two of the longer one, which is more than a
      // hundred of the shorter.
      const windows = rates.length > 1 ? Math.max(2, Math.round(count / (longest * scale))) : count
      const url = await freshDatabase(postgres.url)
      const stores = await Promise.all(
        Array.from({ length: 4 }, () => createPostgresStore({ url, vault: createVault([randomBytes(32)]) })),
      )
      await stores[0]?.migrate()
      results.push({
        ...(await measure(rates, [createPacer(createMemorySlots({ scale }))], scale, windows)),
        instances: 1,
      })
      results.push({
        ...(await measure(
          rates,
          stores.map((store) =>
            createPacer(createPostgresSlots({ pacing: store.pacing as NonNullable<typeof store.pacing>, scale })),
          ),
          scale,
          windows,
        )),
        instances: 4,
      })
      await Promise.all(stores.map((store) => store.close()))
    }
  } finally {
    await postgres.stop()
  }
  return results
}

export function showPacing(results: readonly PacingResult[]): string {
  return table(
    ['limit', 'instances', 'window scale', 'used of the limit', 'violations', 'slowest caller of its share'],
    results.map(({ limit, instances, scale, used, violations, slowest }) => [
      limit,
      String(instances),
      String(Number(scale.toPrecision(2))),
      `${(used * 100).toFixed(1)} %`,
      String(violations),
      `${(slowest * 100).toFixed(0)} %`,
    ]),
  )
}
