// The load generator, in a separate process: closed loops for throughput, a fixed arrival rate for latency.
import { Pool } from 'undici'

export interface Load {
  /** `{n}` in it counts from 0 to `spread` repeatedly. */
  url: string
  spread?: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** `#` in it becomes a unique number. */
  body?: string
  seconds: number
  connections: number
  /** Requests per second regardless of responses; without it, each connection sends its next request at once. */
  rate?: number
}
export interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  failed: number
}

let serial = 0
const run = `${process.pid.toString(36)}${Date.now().toString(36)}`

async function measure({
  url,
  spread = 1,
  method = 'GET',
  headers = {},
  body,
  seconds,
  connections,
  rate,
}: Load): Promise<Measured> {
  const { origin } = new URL(url)
  const paths = Array.from({ length: spread }, (_, number) => url.slice(origin.length).replace('{n}', String(number)))
  let asked = 0
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: number[] = []
  let failed = 0
  const began = performance.now()
  const ends = began + seconds * 1000
  async function once(due: number): Promise<void> {
    try {
      const sent = await pool.request({
        method,
        path: paths[asked++ % spread] as string,
        headers,
        body: body?.replaceAll('#', `${run}${serial++}`),
      })
      await sent.body.dump({ limit: Number.MAX_SAFE_INTEGER }) // read completely and discarded
      if (sent.statusCode >= 300) failed++
      else times.push(performance.now() - due)
    } catch {
      failed++
    }
  }
  if (rate === undefined)
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < ends) await once(performance.now())
      }),
    )
  else await arrive(rate, ends, once)
  const took = (performance.now() - began) / 1000
  await pool.close()
  times.sort((left, right) => left - right)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { perSecond: times.length / took, p50Ms: at(0.5), p99Ms: at(0.99), failed }
}

/** Measured from the time when a request was due, so that a pause counts for all requests that it delays. */
async function arrive(rate: number, ends: number, once: (due: number) => Promise<void>): Promise<void> {
  const open: Promise<void>[] = []
  const began = performance.now()
  for (let number = 0; ; number++) {
    const due = began + (number * 1000) / rate
    if (due >= ends) break
    while (performance.now() < due)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now() - 0.5)))
    open.push(once(due))
  }
  await Promise.all(open)
}

process.on('message', (load: Load) => void measure(load).then((measured) => process.send?.(measured)))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
