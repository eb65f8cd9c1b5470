import type { Explored } from './responses.ts'

export const titleOf = ({ record, id }: Pick<Explored, 'record' | 'id'>): string => {
  const { name, orderNumber, employeeExternalId } = (record ?? {}) as Record<string, string | undefined>
  return name || (orderNumber ? `Order ${orderNumber}` : employeeExternalId ? `Shift of ${employeeExternalId}` : id)
}
export const subtitleOf = ({ record, id }: Explored): string => {
  const { sku, email, total, currencyCode, processedAt, startAt } = (record ?? {}) as Record<
    string,
    string | number | undefined
  >
  const day = processedAt ?? startAt
  return (
    [
      sku ?? email,
      total === undefined ? undefined : `${total} ${currencyCode ?? ''}`.trim(),
      day === undefined ? undefined : String(day).slice(0, 10),
    ]
      .filter(Boolean)
      .join(' · ') || id
  )
}
