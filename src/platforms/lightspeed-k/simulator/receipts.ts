// Sales as the financial API writes them, in two versions. Amounts are decimal strings.
import type { Fields } from '../../../sandbox/http.ts'
import { baseOf, chargeOf, microsPerCent, netOf, sum, taxAmounts } from './amounts.ts'
import { type Account, decimal, encodedUuid, iso, type Line, type Payment, type World } from './world.ts'

const device = { deviceId: 75_125, deviceName: 'ipad9' } as const
/** Up to six decimals. */
function six(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0')
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
/** 12.5 % as "12.50". */
const percent = (ppm: number): string => (ppm / 10_000).toFixed(2)
const nameOf = (world: World, id: number): string | null => {
  const owner = world.staff.get(String(id))
  return owner?.username ?? owner?.firstName ?? null
}

function shownLine(world: World, line: Line, profile: string | null, timeKey: 'timeOfSale' | 'timeofSale'): Fields {
  const amounts = taxAmounts(line)
  const discounted = line.discount !== 0
  return {
    id: line.id,
    parentLineId: line.parentLineId,
    sku: line.sku,
    name: line.name,
    nameOverride: line.nameOverride,
    quantity: (line.quantity / 1000).toFixed(3),
    menuListPrice: decimal(line.unit),
    unitCostPrice: line.cost === null ? null : decimal(line.cost),
    // For prices without taxes, the first one has no meaning.
    totalNetAmountWithTax: six(baseOf(line) + chargeOf(line)),
    totalNetAmountWithoutTax: six(netOf(line)),
    taxAmount: six(sum(amounts)),
    taxCode: line.taxes[0]?.code ?? null,
    taxRatePercentage: percent(line.taxes[0]?.ppm ?? 0),
    taxLines: line.taxes.map(({ taxId, code, multiplier, included }, index) => ({
      taxId,
      taxCode: code,
      taxRate: multiplier,
      taxAmount: six(amounts[index]!),
      taxIncluded: included,
    })),
    discountAmount: decimal(line.discount),
    ...(discounted && { discountType: 'DISCOUNT', discountCode: 'MANUAL', discountName: 'Manual discount' }),
    accountDiscountAmount: decimal(line.accountDiscount),
    ...(line.accountDiscount !== 0 && {
      accountDiscountType: 'DISCOUNT',
      accountDiscountCode: 'STAFF',
      accountDiscountName: 'Staff discount',
    }),
    totalDiscountAmount: decimal(line.discount + line.accountDiscount),
    serviceCharge: decimal(chargeOf(line) / microsPerCent),
    serviceChargeType: line.chargePpm === 0 ? 'NO_SERVICE_CHARGE' : 'UNTAXED',
    serviceChargeRate: percent(line.chargePpm),
    accountingGroup: world.groups.get(String(line.accountingGroupId)) ?? null,
    currency: world.currency,
    [timeKey]: iso(line.at),
    staffId: line.staffId,
    staffName: nameOf(world, line.staffId),
    ...device,
    voidReason: line.voidReason,
    ...(profile !== null && { accountProfileCode: profile }),
  }
}
/** Only version 2 has the rounding of cash. */
const shownPayment = (world: World, account: Account, payment: Payment, version: 1 | 2, consumer: boolean): Fields => ({
  code: payment.code,
  description: world.methods.get(payment.code)!.name,
  paymentMethodId: world.methods.get(payment.code)!.pmId,
  netAmountWithTax: decimal(payment.amount),
  currency: world.currency,
  tip: decimal(payment.tip),
  surcharge: decimal(payment.surcharge),
  ...(version === 2 && { roundingAmount: decimal(payment.rounding) }),
  ...(consumer && payment.consumer && { consumer: payment.consumer }),
  type: payment.code === 'INVOICE' ? 'ACCOUNTS_RECEIVABLE' : 'NORMAL',
  deviceId: String(device.deviceId),
  deviceName: device.deviceName,
  staffId: account.staffId,
  staffName: nameOf(world, account.staffId),
  externalReference: payment.reference,
  revenueCenter: 'Fixed POS',
  revenueCenterId: 141948669132822,
  fiscId: payment.fiscId,
  uuid: encodedUuid(payment.uuid),
  fiscDate: iso(payment.at),
})
/** The two versions name their times differently; payments, guests, staff and tables are included only on request. */
export function shownSale(world: World, account: Account, version: 1 | 2, include: readonly string[]): Fields {
  const closed = account.closedAt === undefined ? undefined : iso(account.closedAt)
  const times =
    version === 1
      ? { timeofOpening: iso(account.openedAt), timeofCloseAndPaid: closed }
      : { timeOfOpening: iso(account.openedAt), timeClosed: closed }
  const profile = include.includes('account_profile') ? account.profile : null
  const previous = account.previous ?? (account.initial === account.id ? undefined : account.initial)
  const timeKey = version === 1 ? 'timeofSale' : 'timeOfSale'
  return {
    accountReference: encodedUuid(account.uuid),
    accountFiscId: account.id,
    receiptId: account.receiptId,
    source: { initialAccountId: account.initial, ...(previous !== undefined && { previousAccountId: previous }) },
    salesLines: account.lines.map((line) => shownLine(world, line, profile, timeKey)),
    ...(include.includes('payments') && {
      payments: account.payments.map((one) => shownPayment(world, account, one, version, include.includes('consumer'))),
    }),
    ...times,
    cancelled: account.cancelled,
    externalFiscalNumber: null,
    ...(include.includes('table') && {
      tableNumber: account.table === null ? null : String(account.table),
      tableName: account.table === null ? null : `Dining Room, Table ${account.table}`,
    }),
    ...(include.includes('staff') && { ownerId: account.staffId, ownerName: nameOf(world, account.staffId) }),
    ...(profile !== null && { accountProfileCode: profile }),
    type: account.type,
    externalReferences: account.references.map((reference) => `TASK:OO-${world.locationId}-${reference}`),
    nbCovers: account.covers,
    dineIn: account.table !== null,
    ...device,
    voidReason: account.voidReason,
  }
}
