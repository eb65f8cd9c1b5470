// Pages of 100 customers, end to end, one after the other: our client and service in front of the platform, against
// the platform's own SDK called directly. The same simulator behind both, at once or after 50 or 200 ms.
import { setTimeout as sleep } from 'node:timers/promises'
import { SquareClient } from 'square'
import { XeroClient } from 'xero-node'
import { createClient } from '../../packages/client/src/index.ts'
import type { Latency, Stage } from './processes.ts'
import { type Finding, ratio, rounds, series } from './rounds.ts'

const walkPages = 20
/** Single pages of a round, from a platform that responds later. */
const singlePages = 20

/** Reads pages of one platform. `walk` calls `work` for each page. */
interface Reader {
  page(): Promise<number>
  walk(pages: number, work: () => Promise<void>): Promise<number>
}
interface Pair {
  name: string
  target: number // of a page from a platform that responds at once
  ours(url: string, apiKey: string): Reader
  plain(url: string, apiKey: string): Reader
  sdk(platformUrl: string): Reader
  proxy?: Record<'bare' | 'pass', () => Promise<number>>
}
interface Taken {
  ms: number
  processorMs: number // of the caller's process
}

async function measure(pages: number, run: () => Promise<number>): Promise<Taken> {
  const began = performance.now()
  const used = process.cpuUsage()
  const records = await run()
  const { user, system } = process.cpuUsage(used)
  if (records !== pages * 100) throw new Error(`${pages} pages had ${records} records`)
  return { ms: (performance.now() - began) / pages, processorMs: (user + system) / 1000 / pages }
}
async function times(count: number, page: () => Promise<number>): Promise<number> {
  let records = 0
  for (let call = 0; call < count; call++) records += await page()
  return records
}

function ours(account: string, url: string, apiKey: string): Reader {
  const { customer } = createClient({ url, apiKey }).account(account)
  return {
    page: async () => (await customer.list({ pageSize: 100 })).data.length,
    async walk(pages, work) {
      let [records, read] = [0, 0]
      for await (const { data } of customer.list({ pageSize: 100 }).pages()) {
        records += data.length
        await work()
        if (++read === pages) break
      }
      return records
    },
  }
}
/** Without our client, which asks for the next page early. */
function plain(account: string, url: string, apiKey: string): Reader {
  const ask = async (query: string) => {
    const response = await fetch(`${url}/unified/${account}/customer?${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    return (await response.json()) as { data: unknown[]; pagination: { cursor?: string } }
  }
  return {
    page: async () => (await ask('pageSize=100')).data.length,
    async walk(pages, work) {
      let records = 0
      let query = 'pageSize=100'
      for (let read = 0; read < pages; read++) {
        const { data, pagination } = await ask(query)
        records += data.length
        query = `cursor=${pagination.cursor}`
        await work()
      }
      return records
    },
  }
}
function squareSdk(platformUrl: string, token: string): Reader {
  const { customers } = new SquareClient({ token, baseUrl: `${platformUrl}/square` })
  const first = () => customers.list({ limit: 100, sortField: 'CREATED_AT', sortOrder: 'ASC' })
  return {
    page: async () => (await first()).data.length,
    async walk(pages, work) {
      let page = await first()
      let records = page.data.length
      await work()
      for (let read = 1; read < pages; read++) {
        page = await page.getNextPage()
        records += page.data.length
        await work()
      }
      return records
    },
  }
}
function xeroSdk(platformUrl: string, token: string, tenantId: string): Reader {
  const xero = new XeroClient({ clientId: 'bench', clientSecret: 'bench' })
  xero.setTokenSet({ access_token: token })
  xero.accountingApi.basePath = `${platformUrl}/xero/api.xro/2.0`
  const none = undefined
  const page = async (number: number) =>
    (await xero.accountingApi.getContacts(tenantId, none, none, 'ContactID ASC', none, number, true, none, none, 100))
      .body.contacts?.length ?? 0
  return {
    page: () => page(1),
    async walk(pages, work) {
      let records = 0
      for (let number = 1; number <= pages; number++) {
        records += await page(number)
        await work()
      }
      return records
    },
  }
}

async function pairsOf(stage: Stage): Promise<Pair[]> {
  const tokenOf = (platform: string) =>
    stage.tenants.find((tenant) => tenant.platform === platform)?.credentials.accessToken as string
  const connections = await fetch(`${stage.front}/xero/connections`, {
    headers: { authorization: `Bearer ${tokenOf('xero')}` },
  })
  const [connection] = (await connections.json()) as { tenantId: string }[]
  const proxy = await stage.proxy(stage.front)
  const of = (account: string) => ({
    ours: (url: string, apiKey: string) => ours(account, url, apiKey),
    plain: (url: string, apiKey: string) => plain(account, url, apiKey),
  })
  return [
    {
      name: 'square',
      target: 0.6,
      ...of('sandbox-square-restaurant'),
      sdk: (platformUrl) => squareSdk(platformUrl, tokenOf('square')),
      proxy: {
        /** The minimum for any service in between: a call, parsing, mapping, and a response to the caller. */
        bare: async () => ((await (await fetch(`${proxy}/map`)).json()) as { data: unknown[] }).data.length,
        /** The lower bound: the platform's bytes, passed through unread. */
        pass: async () => ((await (await fetch(`${proxy}/pass`)).json()) as { customers: unknown[] }).customers.length,
      },
    },
    {
      name: 'xero-node',
      target: 0.5,
      ...of('sandbox-xero-accounting'),
      sdk: (platformUrl) => xeroSdk(platformUrl, tokenOf('xero'), connection?.tenantId ?? ''),
    },
  ]
}

interface Compared {
  title: string
  target?: number
  unit?: string
  us: readonly number[]
  sdk: readonly number[]
  others?: Record<string, readonly number[] | undefined>
}
function finding(name: string, { title, target, unit = 'ms', us, sdk, others = {} }: Compared): Finding {
  const taken = ratio(us, sdk)
  const sides = { 'our client and service': us, [`${name} SDK`]: sdk, ...others }
  const medians = Object.entries(sides).flatMap(([label, values]) =>
    values ? [{ label, value: series(values).median, unit }] : [],
  )
  return {
    title,
    ...(target === undefined ? {} : { target: `<= ${target}`, reached: taken.median <= target }),
    ratio: taken,
    figures: Object.fromEntries(medians.map(({ label, value }) => [label, `${value.toFixed(2)} ${unit}`])),
    bars: medians.slice(0, 2),
  }
}
const pick = (taken: readonly Taken[], name: keyof Taken) => taken.map((one) => one[name])

/** A platform that responds at once. Nothing but work is measured. */
async function compareAtOnce(stage: Stage, pairs: Pair[], count: number, calls: number): Promise<Finding[]> {
  const service = await stage.service()
  const findings: Finding[] = []
  for (const { name, target, ours, sdk, proxy } of pairs) {
    const readers: Record<string, () => Promise<number>> = {
      ours: ours(service.url, service.sandboxFile().apiKey).page,
      sdk: sdk(stage.front).page,
      ...proxy,
    }
    for (const page of Object.values(readers)) await times(1_000, page) // warmed up
    const taken = await rounds(count, Object.keys(readers), (side) =>
      measure(calls, () => times(calls, readers[side] as () => Promise<number>)),
    )
    const of = (side: string, what: keyof Taken) => pick(taken[side] ?? [], what)
    findings.push(
      finding(name, {
        title: `A page of 100 customers, time against the ${name} SDK called directly`,
        target,
        us: of('ours', 'ms'),
        sdk: of('sdk', 'ms'),
        others: {
          'bare map proxy, for comparison': taken.bare && of('bare', 'ms'),
          'bytes passed through, for comparison': taken.pass && of('pass', 'ms'),
        },
      }),
      finding(name, {
        title: `The same, processor time in the caller's process against the ${name} SDK`,
        target: 0.5,
        us: of('ours', 'processorMs'),
        sdk: of('sdk', 'processorMs'),
      }),
    )
  }
  await service.kill()
  return findings
}

/** A platform that responds after `latency` milliseconds, as far away as a real one. */
async function compareLater(stage: Stage, pairs: Pair[], latency: Latency, count: number): Promise<Finding[]> {
  const platformUrl = stage.slow[latency]
  const service = await stage.service({ SANDBOX_URL: platformUrl })
  const { apiKey } = service.sandboxFile()
  const findings: Finding[] = []
  for (const pair of pairs) {
    const { name } = pair
    const readers = {
      ours: pair.ours(service.url, apiKey),
      sdk: pair.sdk(platformUrl),
      plain: pair.plain(service.url, apiKey),
    }
    const sides = ['ours', 'sdk', 'plain'] as const
    // Warmed up, several at once: a service has more to compile than an SDK in a process that is warm already.
    for (const side of sides)
      await Promise.all(
        Array.from({ length: 400 / latency }, () => readers[side].walk(walkPages, async () => undefined)),
      )
    const page = await rounds(count, ['ours', 'sdk'], (side) =>
      measure(singlePages, () => times(singlePages, readers[side as 'ours' | 'sdk'].page)),
    )
    const walk = (work: () => Promise<void>) =>
      rounds(count, sides, (side) => measure(walkPages, () => readers[side].walk(walkPages, work)))
    const busy = await walk(() => sleep(latency))
    const idle = await walk(async () => undefined)
    const after = `from a platform that responds after ${latency} ms`
    const plainly = (taken: readonly Taken[]) => ({ 'plain HTTP instead of our client': pick(taken, 'ms') })
    const versus = (taken: Record<'ours' | 'sdk', Taken[]>) => ({
      us: pick(taken.ours, 'ms'),
      sdk: pick(taken.sdk, 'ms'),
    })
    findings.push(
      finding(name, {
        title: `A page ${after}, time against the ${name} SDK`,
        ...(latency === 50 ? { target: 1.05 } : {}),
        ...versus(page),
      }),
      finding(name, {
        title: `A walk of ${walkPages} pages ${after}, by a caller that works as long on each page, time per page against the ${name} SDK`,
        target: 0.6,
        ...versus(busy),
        others: plainly(busy.plain),
      }),
      finding(name, {
        title: `The same walk by a caller that does no work, against the ${name} SDK`,
        ...versus(idle),
        others: plainly(idle.plain),
      }),
    )
  }
  await service.kill()
  return findings
}

export async function compareSdks(stage: Stage, count: number, calls: number, walks: number): Promise<Finding[]> {
  const pairs = await pairsOf(stage)
  const findings = await compareAtOnce(stage, pairs, count, calls)
  for (const latency of [50, 200] as const) findings.push(...(await compareLater(stage, pairs, latency, walks)))
  return findings
}
