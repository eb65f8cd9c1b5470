import { money } from '../../format.ts'
import type { Explored } from './responses.ts'

export const titleOf = ({ record, id }: Pick<Explored, 'record' | 'id'>): string => {
  const { name, orderNumber, employeeExternalId } = (record ?? {}) as Record<string, string | undefined>
  return name || (orderNumber ? `Order ${orderNumber}` : employeeExternalId ? `Shift of ${employeeExternalId}` : id)
}
/** When it happened; empty if records of this type have no time. */
export const timeOf = ({ record }: Pick<Explored, 'record'>): string => {
  const { processedAt, startAt } = (record ?? {}) as { processedAt?: string; startAt?: string }
  return processedAt ?? startAt ?? ''
}
export const subtitleOf = ({ record, id }: Explored): string => {
  const { sku, email, total, currencyCode } = (record ?? {}) as {
    sku?: string
    email?: string
    total?: number
    currencyCode?: string
  }
  return (
    [sku ?? email, total === undefined ? undefined : money(total, currencyCode), timeOf({ record }).slice(0, 10)]
      .filter(Boolean)
      .join(' · ') || id
  )
}
