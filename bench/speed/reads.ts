// A page of 100 records: through the service, through a proxy that only maps, and through one that only passes bytes.
import { freshDatabase } from '../../test/postgres.ts'
import type { Stage } from './processes.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'

export const page = '/unified/sandbox-square-restaurant/customer?pageSize=100'

interface Reads {
  name: string
  target: number
  environment?: Record<string, string>
}
/** On both databases. The tail is measured on SQLite. */
export async function compareReads(
  stage: Stage,
  count: number,
  seconds: number,
  postgresUrl: string,
): Promise<Finding[]> {
  const environment = { DATABASE_URL: await freshDatabase(postgresUrl) }
  return [
    ...(await compare(stage, count, seconds, { name: 'SQLite', target: 0.95 })),
    ...(await compare(stage, count, seconds, { name: 'PostgreSQL', target: 0.8, environment })).slice(0, 1),
  ]
}

async function compare(
  stage: Stage,
  count: number,
  seconds: number,
  { name, target, environment }: Reads,
): Promise<Finding[]> {
  const service = await stage.service(environment)
  const proxy = await stage.proxy(stage.front)
  const authorization = `Bearer ${service.sandboxFile().apiKey}`
  const sides = {
    service: { url: service.url + page, headers: { authorization } },
    map: { url: `${proxy}/map` },
    pass: { url: `${proxy}/pass` },
  }
  type Side = keyof typeof sides
  const names = Object.keys(sides) as Side[]
  // Both are warmed up. V8 compiles all functions at about the 11 000th request, for a third of a second.
  for (const side of names)
    await stage.load({ ...sides[side], seconds: seconds * (side === 'pass' ? 2 : 6), connections: 50 })
  const full = await rounds(count, names, (side) => stage.load({ ...sides[side], seconds, connections: 50 }))
  const perSecond = (side: Side) => full[side].map((measured) => measured.perSecond)
  // Half of the throughput of the slower mapper, the same for all.
  const rate = Math.min(series(perSecond('service')).median, series(perSecond('map')).median) / 2
  const half = await rounds(count, names, (side) => stage.load({ ...sides[side], seconds, connections: 50, rate }))
  const failed = names
    .flatMap((side) => [...full[side], ...half[side]])
    .reduce((sum, measured) => sum + measured.failed, 0)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  await service.kill()
  const toMap = ratio(perSecond('service'), perSecond('map'))
  const toPass = ratio(perSecond('service'), perSecond('pass'))
  const late = (side: Side, which: 'p50Ms' | 'p99Ms') => half[side].map((measured) => measured[which])
  const p99 = ratio(late('service', 'p99Ms'), late('map', 'p99Ms'))
  const bars = (pick: (side: Side) => number, unit: string) => [
    { label: 'this service', value: pick('service'), unit },
    { label: 'bare map proxy', value: pick('map'), unit },
    { label: 'pass-through', value: pick('pass'), unit },
  ]
  return [
    {
      title: `Read throughput against a bare map proxy (${name})`,
      target: `>= ${target.toFixed(2)}`,
      reached: toMap.median >= target,
      ratio: toMap,
      figures: Object.fromEntries(
        bars((side) => series(perSecond(side)).median, 'pages/s').map(({ label, value, unit }) => [
          label,
          `${value.toFixed(0)} ${unit}`,
        ]),
      ),
      bars: bars((side) => series(perSecond(side)).median, 'pages/s'),
    },
    { title: 'Read throughput against passing bytes through', ratio: toPass, figures: {} },
    {
      title: `Read latency at half load (${rate.toFixed(0)} pages/s), p99 against the bare map proxy`,
      target: '<= 1.5',
      reached: p99.median <= 1.5,
      ratio: p99,
      figures: Object.fromEntries(
        names.map((side) => [
          side,
          `p50 ${series(late(side, 'p50Ms')).median.toFixed(2)} ms, p99 ${series(late(side, 'p99Ms')).median.toFixed(2)} ms`,
        ]),
      ),
      bars: bars((side) => series(late(side, 'p99Ms')).median, 'ms p99'),
    },
  ]
}
