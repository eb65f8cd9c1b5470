// Standard Webhooks: https://www.standardwebhooks.com
import { createHmac, randomBytes } from 'node:crypto'
import type { EndpointSecret } from '../store/deliveries.ts'

const prefix = 'whsec_'
export const createSecret = (): string => prefix + randomBytes(24).toString('base64')
/** At least 16 bytes in base64. */
export const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(text)

const signed = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')

/** During a rotation with the old secret as well. */
export function signatureHeaders(
  secrets: readonly EndpointSecret[],
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const timestamp = Math.floor(now / 1000)
  const valid = secrets.filter(({ until }) => until === undefined || until > now)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': valid.map(({ secret }) => `v1,${signed(secret, `${id}.${timestamp}.${body}`)}`).join(' '),
  }
}
