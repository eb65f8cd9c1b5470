// One page of 100 customers, end to end, one after the other: our client and service in front of the platform, against
// the platform's own SDK called directly. The same simulator behind both.
import { SquareClient } from 'square'
import { XeroClient } from 'xero-node'
import { createClient } from '../../packages/client/src/index.ts'
import type { Stage } from './processes.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'

async function time(calls: number, run: () => Promise<number>): Promise<number> {
  const began = performance.now()
  for (let call = 0; call < calls; call++) {
    const records = await run()
    if (records !== 100) throw new Error(`a page had ${records} records instead of 100`)
  }
  return (performance.now() - began) / calls
}

export async function compareSdks(stage: Stage, count: number, calls: number): Promise<Finding[]> {
  const service = await stage.service()
  const proxy = await stage.proxy(stage.front)
  const client = createClient({ url: service.url, apiKey: service.sandboxFile().apiKey })
  const ours = (account: string) => async () =>
    (await client.account(account).customer.list({ pageSize: 100 })).data.length
  const credentials = (platform: string) =>
    stage.tenants.find((tenant) => tenant.platform === platform)?.credentials ?? {}

  const square = new SquareClient({
    token: credentials('square').accessToken as string,
    baseUrl: `${stage.front}/square`,
  })
  const xero = new XeroClient({ clientId: 'bench', clientSecret: 'bench' })
  xero.setTokenSet({ access_token: credentials('xero').accessToken as string })
  xero.accountingApi.basePath = `${stage.front}/xero/api.xro/2.0`
  const [connection] = (await (
    await fetch(`${stage.front}/xero/connections`, {
      headers: { authorization: `Bearer ${credentials('xero').accessToken}` },
    })
  ).json()) as {
    tenantId: string
  }[]
  const tenantId = connection?.tenantId ?? ''
  const pairs = [
    {
      name: 'square',
      target: 0.6,
      ours: ours('sandbox-square-restaurant'),
      /** The minimum for any service in between: a call, parsing, mapping, and a response to the caller. */
      bare: async () => ((await (await fetch(`${proxy}/map`)).json()) as { data: unknown[] }).data.length,
      /** The lower bound: the platform's bytes, passed through unread. */
      pass: async () => ((await (await fetch(`${proxy}/pass`)).json()) as { customers: unknown[] }).customers.length,
      sdk: async () =>
        (await square.customers.list({ limit: 100, sortField: 'CREATED_AT', sortOrder: 'ASC' })).data.length,
    },
    {
      name: 'xero-node',
      target: 0.5,
      ours: ours('sandbox-xero-accounting'),
      sdk: async () =>
        (
          await xero.accountingApi.getContacts(
            tenantId,
            undefined,
            undefined,
            'ContactID ASC',
            undefined,
            1,
            true,
            undefined,
            undefined,
            100,
          )
        ).body.contacts?.length ?? 0,
    },
  ]
  const findings: Finding[] = []
  for (const pair of pairs) {
    const sides = (['ours', 'sdk', 'bare', 'pass'] as const).filter((name) => name in pair)
    const run = (side: (typeof sides)[number], times: number) =>
      time(times, (pair as Record<string, unknown>)[side] as () => Promise<number>)
    for (const side of sides) await run(side, 1_000) // warmed up
    const { ours: us, sdk, bare, pass } = await rounds(count, sides, (side) => run(side, calls))
    const taken = ratio(us, sdk)
    findings.push({
      title: `A page of 100 customers, time against the ${pair.name} SDK called directly`,
      target: `<= ${pair.target}`,
      reached: taken.median <= pair.target,
      ratio: taken,
      figures: {
        'our client and service': `${series(us).median.toFixed(2)} ms`,
        [`${pair.name} SDK`]: `${series(sdk).median.toFixed(2)} ms`,
        ...(bare ? { 'bare map proxy, for comparison': `${series(bare).median.toFixed(2)} ms` } : {}),
        ...(pass ? { 'bytes passed through, for comparison': `${series(pass).median.toFixed(2)} ms` } : {}),
      },
      bars: [
        { label: 'our client and service', value: series(us).median, unit: 'ms' },
        { label: `${pair.name} SDK, direct`, value: series(sdk).median, unit: 'ms' },
      ],
    })
  }
  await service.kill()
  return findings
}
