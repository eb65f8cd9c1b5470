// One attempt: a POST that is signed, limited in time, and follows no redirect.

import { isLocalHost } from '../base/local-host.ts'
import { Problem } from '../contract/errors.ts'
import type { Transport } from '../engine/outbound/transport.ts'
import type { Attempt, Delivery, WebhookEndpoint } from '../store/deliveries.ts'
import { signatureHeaders } from './signature.ts'

const timeoutMs = 15_000
const shownCharacters = 200
const notAllowed =
  'the host leads to a private address, or the port is not 443. Use a public https address, or add the host to ALLOWED_HOSTS'

export interface Sent {
  attempt: Attempt
  retryAfterMs?: number | undefined
}
export interface SendOptions {
  transport: Transport
  sandbox: boolean // then a receiver on this machine is allowed
  now(): number
  /** Throws if this process must not send any more. */
  check(): void
}

export async function send(
  { transport, sandbox, now, check }: SendOptions,
  endpoint: WebhookEndpoint,
  { id, body }: Pick<Delivery, 'id' | 'body'>,
): Promise<Sent> {
  const url = new URL(endpoint.url)
  const began = performance.now()
  const at = now()
  const durationMs = () => Math.round(performance.now() - began)
  try {
    const { status, headers, bytes } = await transport.exchange({
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: {
        'content-type': endpoint.format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
        ...signatureHeaders(endpoint.secrets, { id, body, now: at }),
      },
      body,
      timeoutMs,
      account: endpoint.id,
      pool: endpoint.id,
      maxBytes: 256 * 1024,
      ...(sandbox && isLocalHost(url.hostname) ? { sandbox: true } : {}),
      onSent: check,
    })
    const response = Buffer.from(bytes).toString('utf8').slice(0, shownCharacters)
    return {
      attempt: { at, durationMs: durationMs(), status, ...(response ? { response } : {}) },
      retryAfterMs: retryAfterOf(headers['retry-after'], at),
    }
  } catch (error) {
    const text = error instanceof Problem && error.code === 'forbidden' ? notAllowed : messageOf(error)
    return { attempt: { at, durationMs: durationMs(), error: text } }
  }
}
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return milliseconds > 0 ? milliseconds : undefined
}
