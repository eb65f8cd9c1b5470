// Traces as a collector receives them: OTLP over HTTP.
import { createServer, type Server } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import type { Connector } from '../../src/contract/connector.ts'
import { createTransport } from '../../src/engine/outbound/transport.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createTelemetry } from '../../src/telemetry.ts'
import { listenHere } from '../listen.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status: { code?: number }
}
const transport = createTransport()
const sent = 12
let collector: Server
let harness: Harness | undefined
const received: {
  path: string | undefined
  headers: NodeJS.Dict<string | string[]>
  service: unknown
  spans: Span[]
}[] = []

async function collect(): Promise<string> {
  received.length = 0
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    received.push({
      path: request.url,
      headers: request.headers,
      service: resourceSpans[0].resource.attributes,
      spans: resourceSpans[0].scopeSpans[0].spans,
    })
    response.end('{}')
  })
  return `http://127.0.0.1:${await listenHere(collector)}`
}
afterEach(async () => {
  vi.unstubAllEnvs()
  await harness?.close()
  harness = undefined
  collector?.close()
})

it('a request, its waits and its native calls are one trace, below the span of the caller', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await collect())
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=a%20b')
  vi.stubEnv('OTEL_SERVICE_NAME', 'records')
  // The last of them waits for a slot, unless the others take longer than the window.
  const square = { ...connectors.square, limit: [{ requests: sent - 1, seconds: 5 }] } as Connector
  harness = await createHarness({ connectors: { ...connectors, square }, simulators, platform: 'square', paceScale: 1 })
  const traceId = 'ab'.repeat(16)
  const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`
  const made = await Promise.all(
    Array.from({ length: sent }, (_, index) =>
      harness?.call(
        'POST',
        '/unified/square-restaurant/customer',
        { externalId: `T-${index}`, name: 'Ada' },
        { traceparent, prefer: 'wait=60' },
      ),
    ),
  )
  expect(made.map((reply) => reply?.status)).toEqual(Array(sent).fill(201))
  await harness.call('GET', '/unified/square-restaurant/customer', undefined, {
    traceparent: `00-${'ef'.repeat(16)}-${'cd'.repeat(8)}-00`,
  })
  const { secrets } = harness
  await harness.close()
  harness = undefined

  expect(received.every(({ path, headers }) => path === '/v1/traces' && headers['x-tenant'] === 'a b')).toBe(true)
  expect(received[0]?.service).toContainEqual({ key: 'service.name', value: { stringValue: 'records' } })
  const spans = received.flatMap((batch) => batch.spans)
  const ours = spans.filter((span) => span.traceId === traceId)
  const requests = ours.filter(({ kind }) => kind === 2)
  expect(requests.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
    Array(sent).fill(['POST /unified/:accountId/:entityType', 'cd'.repeat(8)]),
  )
  const [waits, calls] = [
    ours.filter(({ name }) => name === 'wait for square'),
    ours.filter(({ name }) => name === 'POST square'),
  ]
  // A call that the platform rejected with 429 is retried.
  expect([waits.length > 0, calls.length >= sent]).toEqual([true, true])
  for (const span of [...waits, ...calls]) {
    const parent = requests.find(({ spanId }) => spanId === span.parentSpanId)
    expect(BigInt(span.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano))
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent?.endTimeUnixNano ?? 0))
  }
  expect(calls.at(-1)?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
  expect(spans.some((span) => span.traceId === 'ef'.repeat(16))).toBe(false) // its caller turned sampling off
  for (const secret of secrets) expect(JSON.stringify(spans)).not.toContain(secret)
})

it.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/custom' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }, false],
])('with %o there is tracing: %s', async (environment, expected) => {
  const telemetry = createTelemetry(environment, () => {}, transport)
  expect(telemetry !== undefined).toBe(expected)
  await telemetry?.close()
})

it('an unsupported protocol is an error at the start, an unreachable collector only a warning', async () => {
  expect(() =>
    createTelemetry(
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      () => {},
      transport,
    ),
  ).toThrow('http/json')
  const warnings: string[] = []
  const telemetry = createTelemetry(
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    (message) => warnings.push(message),
    transport,
  )
  telemetry?.nativeCall({
    requestId: 'sweep',
    workspaceId: 'w',
    accountId: 'a',
    platform: 'square',
    kind: 'read',
    method: 'GET',
    path: '/',
    status: 200,
    attempt: 1,
    waitedMs: 0,
    durationMs: 1,
  })
  await telemetry?.close()
  expect(warnings).toEqual([expect.stringContaining('1 spans are lost')])
})
