// The cost of the activity: the same reads through two services, with and without it, in turns, so that other load on
// the machine affects both.
import { randomBytes } from 'node:crypto'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import type { ServiceProcess } from '../test/service-process.ts'
import { table } from './report.ts'
import { openStage, type Stage } from './speed/processes.ts'

export interface ActivityResult {
  database: string
  what: string
  rounds: number
  onPerSecond: number
  offPerSecond: number
  ratio: number // median of the rounds: throughput with activity over throughput without
  onCpuMs: number // CPU time of the service per read
  offCpuMs: number
}
/** Turns are several times as long as the second in which activity is collected. */
interface Length {
  rounds: number
  seconds: number
}
const connections = 16
/** Enough accounts that none comes near its limit, so that pacing costs the same as in production. */
const fleet = 64

interface Side {
  service: ServiceProcess
  headers: Record<string, string>
}

async function open(stage: Stage, days: string, databaseUrl: string | undefined): Promise<Side> {
  const adminToken = randomBytes(24).toString('hex')
  const service = await stage.service({
    ADMIN_TOKEN: adminToken,
    ACTIVITY_DAYS: days,
    PLATFORM_LIMITS: 'square=200/1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  })
  const manage = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/manage/v1/workspaces/sandbox${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { key: string }
  }
  const tenant = stage.tenants.find(({ platform }) => platform === 'square')
  if (!tenant) throw new Error('there is no square tenant')
  const { platform, vertical, credentials, settings } = tenant
  for (let number = 0; number < fleet; number++)
    await manage('/accounts?test=false', { id: `fleet-${number}`, platform, vertical, credentials, settings })
  const { key } = await manage('/api-keys', { name: 'bench' })
  return { service, headers: { authorization: `Bearer ${key}` } }
}

const cpuSeconds = async ({ service }: Side) =>
  Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])

async function read(
  stage: Stage,
  side: Side,
  what: string,
  seconds: number,
): Promise<{ perSecond: number; cpuMs: number }> {
  const { service, headers } = side
  const before = await cpuSeconds(side)
  const { perSecond, failed } = await stage.load({
    url: `${service.url}/unified/fleet-{n}/customer${what}`,
    spread: fleet,
    headers,
    connections,
    seconds,
  })
  if (failed > 0) throw new Error(`${failed} reads failed`)
  // Entries in the buffer are written and counted in their own turn.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  return { perSecond, cpuMs: (((await cpuSeconds(side)) - before) * 1000) / (perSecond * seconds) }
}

const median = (values: number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

type Figures = Awaited<ReturnType<typeof read>>

async function turns(
  named: Pick<ActivityResult, 'database' | 'what'>,
  stage: Stage,
  sides: readonly [Side, Side],
  path: string,
  { rounds, seconds }: Length,
): Promise<ActivityResult> {
  for (const side of sides) await read(stage, side, path, seconds * 3) // warmed up
  const found: { on: Figures; off: Figures }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = await read(stage, sides[round % 2] as Side, path, seconds)
    const second = await read(stage, sides[(round + 1) % 2] as Side, path, seconds)
    found.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first })
  }
  const cpuMs = (side: 'on' | 'off') => median(found.map((entry) => entry[side].cpuMs))
  return {
    ...named,
    rounds,
    onPerSecond: median(found.map(({ on }) => on.perSecond)),
    offPerSecond: median(found.map(({ off }) => off.perSecond)),
    ratio: median(found.map(({ on, off }) => on.perSecond / off.perSecond)),
    onCpuMs: cpuMs('on'),
    offCpuMs: cpuMs('off'),
  }
}

async function compare(
  stage: Stage,
  database: string,
  urls: [string | undefined, string | undefined],
  options: Length,
): Promise<ActivityResult[]> {
  const sides = [await open(stage, '14', urls[0]), await open(stage, '0', urls[1])] as const
  const [{ service, headers }] = sides
  const { data } = (await (await fetch(`${service.url}/unified/fleet-0/customer?pageSize=1`, { headers })).json()) as {
    data: { externalId: string }[]
  }
  const found = [
    await turns({ database, what: 'a page of 50' }, stage, sides, '', options),
    await turns({ database, what: 'one record' }, stage, sides, `/${data[0]?.externalId}`, options),
  ]
  await Promise.all(sides.map((side) => side.service.kill('SIGKILL')))
  return found
}

export async function benchActivity(options: Length): Promise<ActivityResult[]> {
  const stage = await openStage()
  const postgres = await startPostgres({ durable: true })
  try {
    const sqlite = await compare(stage, 'SQLite', [undefined, undefined], options)
    return [
      ...sqlite,
      ...(await compare(
        stage,
        'PostgreSQL',
        [await freshDatabase(postgres.url), await freshDatabase(postgres.url)],
        options,
      )),
    ]
  } finally {
    await stage.close()
    await postgres.stop()
  }
}

export function showActivity(results: readonly ActivityResult[]): string {
  return table(
    [
      'database',
      'read',
      'rounds',
      'reads/s with activity',
      'without',
      'throughput with/without',
      'CPU of a read with',
      'without',
    ],
    results.map(({ database, what, rounds, onPerSecond, offPerSecond, ratio, onCpuMs, offCpuMs }) => [
      database,
      what,
      String(rounds),
      onPerSecond.toFixed(0),
      offPerSecond.toFixed(0),
      ratio.toFixed(3),
      `${onCpuMs.toFixed(3)} ms`,
      `${offCpuMs.toFixed(3)} ms`,
    ]),
  )
}
