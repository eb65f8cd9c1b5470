// The body of an event, for deliveries and for unirec listen.
import type { WebhookEndpoint } from '../store/webhooks.ts'

interface Event {
  id: string
  type: string
  at: number
  data: { accountId?: string | undefined; [name: string]: unknown }
}

export function bodyOf({ format }: Pick<WebhookEndpoint, 'format'>, { id, type, at, data }: Event): string {
  const time = new Date(at).toISOString()
  return JSON.stringify(
    format === 'cloudevents'
      ? {
          specversion: '1.0',
          id,
          source: data.accountId === undefined ? '/' : `/accounts/${encodeURIComponent(data.accountId)}`,
          type,
          time,
          datacontenttype: 'application/json',
          data,
        }
      : { type, timestamp: time, data },
  )
}
