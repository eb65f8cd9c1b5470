// A POST with journal, references and exactly-once, against a POST that is only mapped and forwarded.
import { freshDatabase } from '../../test/postgres.ts'
import type { Stage } from './processes.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'

export const customer = JSON.stringify({ externalId: 'B-#', name: 'Ada Lovelace', email: 'b#@example.com' })
const json = { 'content-type': 'application/json' }

export async function compareWrites(
  stage: Stage,
  count: number,
  seconds: number,
  postgresUrl: string,
): Promise<Finding[]> {
  const proxy = await stage.proxy(stage.direct)
  const findings: Finding[] = []
  for (const [database, environment] of [
    ['SQLite, synchronous=FULL', {}],
    ['Postgres', { DATABASE_URL: await freshDatabase(postgresUrl) }],
  ] as const) {
    const service = await stage.service({ SANDBOX_URL: stage.direct, ...environment })
    const sides = {
      service: {
        url: `${service.url}/unified/sandbox-square-restaurant/customer`,
        headers: { ...json, authorization: `Bearer ${service.sandboxFile().apiKey}` },
      },
      forward: { url: `${proxy}/forward`, headers: json },
    }
    const load = (side: keyof typeof sides, length: number) =>
      stage.load({ ...sides[side], method: 'POST', body: customer, seconds: length, connections: 50 })
    for (const side of ['service', 'forward'] as const) await load(side, seconds * 4) // warmed up
    const measured = await rounds(count, ['service', 'forward'] as const, (side) => load(side, seconds))
    if ([...measured.service, ...measured.forward].some(({ failed }) => failed > 0)) throw new Error('writes failed')
    await service.kill()
    const [ours, theirs] = [
      measured.service.map(({ perSecond }) => perSecond),
      measured.forward.map(({ perSecond }) => perSecond),
    ]
    const share = ratio(ours, theirs)
    const sqlite = database.startsWith('SQLite')
    findings.push({
      title: `Write throughput against a bare forwarding POST (${database})`,
      ...(sqlite ? { target: '>= 0.60', reached: share.median >= 0.6 } : {}),
      ratio: share,
      figures: {
        'this service': `${series(ours).median.toFixed(0)} writes/s`,
        'bare forward': `${series(theirs).median.toFixed(0)} writes/s`,
      },
      bars: [
        { label: 'this service', value: series(ours).median, unit: 'writes/s' },
        { label: 'bare forward', value: series(theirs).median, unit: 'writes/s' },
      ],
    })
  }
  return findings
}
