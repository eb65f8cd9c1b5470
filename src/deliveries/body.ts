// The body of an event, for deliveries and for unirec listen.
import type { WebhookEndpoint } from '../store/deliveries.ts'

interface Event {
  id: string
  type: string
  at: number
  data: { accountId?: string | undefined; [name: string]: unknown }
}

/** What an event is about, as far as its body says it. */
export function aboutOf(body: string): {
  accountId?: string
  entityType?: string
  externalId?: string
  sourceExternalId?: string
} {
  const { data } = JSON.parse(body) as { data: Record<string, string> }
  const { accountId, entityType, externalId, sourceExternalId } = data
  return { accountId, entityType, externalId, sourceExternalId }
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
