// Service charges that the restaurant has set up, as they are on a check.
import { appliedTax, inDollars, partOf, taxOn } from './checks.ts'
import { meals } from './configuration.ts'
import { type AppliedServiceCharge, referenceTo } from './world.ts'

interface Kind {
  name: string
  chargeType: AppliedServiceCharge['chargeType']
  percent?: number
  cents?: number
  on?: 'delivery' | 'takeout' | 'dineIn'
  gratuity?: true
  taxable?: true
  category?: AppliedServiceCharge['serviceChargeCategory']
}
const kinds = {
  delivery: { name: 'Delivery fee', chargeType: 'FIXED', cents: 300, on: 'delivery' },
  service: { name: 'Kitchen appreciation', chargeType: 'PERCENT', percent: 4, on: 'dineIn', taxable: true },
  gratuity: { name: 'Large party', chargeType: 'PERCENT', percent: 18, on: 'dineIn', gratuity: true },
  surcharge: { name: 'Card surcharge', chargeType: 'PERCENT', percent: 3, category: 'CREDIT_CARD_SURCHARGE' },
  donation: { name: 'Food bank', chargeType: 'FIXED', cents: 100, category: 'FUNDRAISING_CAMPAIGN' },
  rounding: { name: 'Cash rounding', chargeType: 'OPEN', category: 'CASH_ROUNDING' },
} satisfies Record<string, Kind>
export type ChargeKind = keyof typeof kinds

/** `on`: the amount that a percentage is of; `cents`: of an open charge. */
export function chargeOf(
  kind: ChargeKind,
  {
    guid,
    on = 0,
    cents,
    paymentGuid = null,
  }: { guid: string; on?: number; cents?: number; paymentGuid?: string | null },
): AppliedServiceCharge {
  const known: Kind = kinds[kind]
  const amount = cents ?? known.cents ?? Math.round((on * (known.percent ?? 0)) / 100)
  const number = Object.keys(kinds).indexOf(kind) + 1
  return {
    ...referenceTo('AppliedServiceCharge', guid),
    name: known.name,
    serviceCharge: referenceTo('ServiceCharge', `e4b7a0d2-9c1e-4c57-8f0e-6b5f3c2d1a0${number}`),
    chargeAmount: inDollars(amount),
    chargeType: known.chargeType,
    delivery: known.on === 'delivery',
    takeout: known.on === 'takeout',
    dineIn: known.on === 'dineIn',
    gratuity: known.gratuity === true,
    taxable: known.taxable === true,
    appliedTaxes: known.taxable ? [appliedTax(partOf(guid, 1), meals, taxOn(amount, meals))] : [],
    serviceChargeCalculation: known.chargeType === 'PERCENT' ? 'PRE_DISCOUNT' : null,
    serviceChargeCategory: known.category ?? 'SERVICE_CHARGE',
    paymentGuid,
    refundDetails: null,
  }
}
