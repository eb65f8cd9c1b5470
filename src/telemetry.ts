// Traces over OTLP/HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp) when the standard OTEL_ variables
// ask for them: one span per request, per wait and per native call.
// The official SDK would be 32 MB for these three spans; without the variables nothing of this runs.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { NativeCallEvent } from './engine/options.ts'
import type { Transport } from './engine/outbound/transport.ts'

export interface Telemetry {
  install(app: FastifyInstance): void
  nativeCall(event: NativeCallEvent): void
  close(): Promise<void>
}
interface Trace {
  traceId: string
  spanId: string
  parentSpanId?: string
  sampled: boolean
  began: number
}
const kinds = { internal: 1, server: 2, client: 3 }
interface Span extends Pick<Trace, 'traceId' | 'spanId' | 'parentSpanId'> {
  name: string
  kind: keyof typeof kinds
  began: number // milliseconds since 1970, with fractions
  ended: number
  attributes: Record<string, string | number>
  failed: boolean
}
type Environment = Readonly<Record<string, string | undefined>>

const maxWaiting = 4_096
const batch = 512

const now = () => performance.timeOrigin + performance.now()
const nanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
const id = (bytes: number) => randomBytes(bytes).toString('hex')

export function createTelemetry(
  environment: Environment,
  warn: (message: string) => void,
  transport: Pick<Transport, 'exchange'>,
): Telemetry | undefined {
  const address = addressOf(environment)
  if (!address) return undefined
  const sample = samplerOf(environment)
  const send = createSender(address, environment, warn, transport)
  const traces = new Map<string, Trace>()

  function traceOf(traceparent?: unknown): Trace {
    const [, traceId, parentSpanId, flags] =
      /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(traceparent ?? '')) ?? []
    const own = traceId ?? id(16)
    const sampled = sample(own, flags === undefined ? undefined : (Number.parseInt(flags, 16) & 1) === 1)
    return {
      traceId: own,
      spanId: id(8),
      sampled,
      began: now(),
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
    }
  }
  return {
    install(app) {
      app.addHook('onRequest', async (request, reply) => {
        const trace = traceOf(request.headers.traceparent)
        traces.set(request.id, trace)
        // Unlike onResponse this comes also when the caller has gone, or its trace would stay forever.
        reply.raw.once('close', () => {
          traces.delete(request.id)
          if (!trace.sampled) return
          const route = request.routeOptions.url ?? 'none'
          const status = reply.raw.writableFinished ? reply.statusCode : 499
          const attributes = {
            'http.request.method': request.method,
            'http.route': route,
            'http.response.status_code': status,
            'unified.request_id': request.id,
          }
          send.add({
            ...trace,
            name: `${request.method} ${route}`,
            kind: 'server',
            ended: now(),
            attributes,
            failed: status >= 500,
          })
        })
      })
    },
    nativeCall({ requestId, accountId, platform, kind, method, path, status, error, attempt, waitedMs, durationMs }) {
      // A sweep has no request.
      const { traceId, spanId: parentSpanId, sampled } = traces.get(requestId) ?? { ...traceOf(), spanId: undefined }
      if (!sampled) return
      const ended = now()
      const began = ended - durationMs
      const of = { traceId, ...(parentSpanId === undefined ? {} : { parentSpanId }) }
      const about = { 'unified.platform': platform, 'unified.account_id': accountId, 'unified.request_id': requestId }
      if (waitedMs > 0)
        send.add({
          ...of,
          spanId: id(8),
          name: `wait for ${platform}`,
          kind: 'internal',
          began: began - waitedMs,
          ended: began,
          attributes: about,
          failed: false,
        })
      const attributes = {
        ...about,
        'http.request.method': method,
        'url.path': path,
        'unified.kind': kind,
        'unified.attempt': attempt,
        ...(status === undefined ? { 'error.type': error ?? 'none' } : { 'http.response.status_code': status }),
      }
      send.add({
        ...of,
        spanId: id(8),
        name: `${method} ${platform}`,
        kind: 'client',
        began,
        ended,
        attributes,
        failed: status === undefined || status >= 400,
      })
    },
    close: send.close,
  }
}

function addressOf(environment: Environment): string | undefined {
  const {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own,
    OTEL_EXPORTER_OTLP_ENDPOINT: shared,
    OTEL_TRACES_EXPORTER: exporter = 'otlp',
  } = environment
  if (environment.OTEL_SDK_DISABLED === 'true' || exporter !== 'otlp') return undefined
  const address = own || (shared && `${shared.replace(/\/+$/, '')}/v1/traces`)
  if (!address) return undefined
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol === 'grpc')
    throw new Error('OTEL_EXPORTER_OTLP_PROTOCOL is grpc; traces are sent over HTTP only: use http/json')
  return address
}

/** The samplers of the specification by their names; with "parentbased" the caller decides first. */
function samplerOf({
  OTEL_TRACES_SAMPLER: name = 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: argument,
}: Environment): (traceId: string, parent?: boolean) => boolean {
  const kind = name.replace(/^parentbased_/, '')
  const ratio = kind === 'always_off' ? 0 : kind === 'traceidratio' ? Number(argument ?? 1) : 1
  const own = (traceId: string) => Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32
  return (traceId, parent) => (name.startsWith('parentbased_') && parent !== undefined ? parent : own(traceId))
}

/** `a=1,b=2`, percent-encoded: the form of headers and resource attributes alike. */
const pairs = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => [
        pair.slice(0, pair.indexOf('=')).trim(),
        decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()),
      ]),
  )

function createSender(
  address: string,
  environment: Environment,
  warn: (message: string) => void,
  transport: Pick<Transport, 'exchange'>,
): { add(span: Span): void; close(): Promise<void> } {
  const headers = {
    'content-type': 'application/json',
    ...pairs(environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? environment.OTEL_EXPORTER_OTLP_HEADERS),
  }
  const resource = {
    attributes: attributesOf({
      'service.name': environment.OTEL_SERVICE_NAME ?? 'unified-records',
      ...pairs(environment.OTEL_RESOURCE_ATTRIBUTES),
    }),
  }
  let waiting: Span[] = []
  let sending: Promise<void> = Promise.resolve()
  let underWay = 0

  async function post(spans: readonly Span[]): Promise<void> {
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'unified-records' }, spans: spans.map(wireSpan) }] }],
    })
    try {
      const { origin, pathname, search } = new URL(address)
      const { status } = await transport.exchange({
        method: 'POST',
        origin,
        sandbox: true, // the operator chose the address
        path: pathname + search,
        headers,
        body,
        timeoutMs: 10_000,
        pool: 'traces',
      })
      if (status >= 300) warn(`the trace collector answered ${status}; ${spans.length} spans are lost`)
    } catch (error) {
      warn(`the trace collector cannot be reached (${(error as Error).message}); ${spans.length} spans are lost`)
    }
  }
  function flush(): void {
    const spans = waiting
    waiting = []
    if (spans.length === 0) return
    underWay += spans.length
    sending = sending
      .then(() => post(spans))
      .then(() => {
        underWay -= spans.length
      })
  }
  const timer = setInterval(flush, Number(environment.OTEL_BSP_SCHEDULE_DELAY ?? 5_000))
  timer.unref()
  return {
    add(span) {
      if (waiting.length + underWay < maxWaiting) waiting.push(span) // a slow collector costs spans, never memory
      if (waiting.length >= batch) flush()
    },
    async close() {
      clearInterval(timer)
      flush()
      await sending
    },
  }
}

const attributesOf = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

const wireSpan = ({ traceId, spanId, parentSpanId, name, kind, began, ended, attributes, failed }: Span) => ({
  traceId,
  spanId,
  ...(parentSpanId === undefined ? {} : { parentSpanId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(began),
  endTimeUnixNano: nanoseconds(ended),
  attributes: attributesOf(attributes),
  status: failed ? { code: 2 } : {},
})
