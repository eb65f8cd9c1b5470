// What a location has set up: taxes, ways to pay, product modifiers and production instructions.
import type { Method, Tax } from './world.ts'

const tax = (serial: number, code: string, description: string, ppm: number, included: boolean): Tax => ({
  taxId: String(41910290874370 + serial),
  code,
  description,
  multiplier: `1.${String(ppm).padStart(6, '0').replace(/0+$/, '')}`,
  ppm,
  included,
})
/** Prices contain the taxes, except those of the order profile EVENT. */
export const taxes = {
  vat20: tax(4, 'VAT20', 'VAT 20%', 200_000, true),
  vat5: tax(5, 'VAT5', 'VAT 5%', 50_000, true),
  levy: tax(6, 'LEVY', 'Beverage levy', 12_500, true),
  vatOnTop: tax(7, 'VAT20X', 'VAT 20%, not included', 200_000, false),
  city: tax(8, 'CITY', 'City tax', 87_500, false),
} as const satisfies Record<string, Tax>

export const methods: readonly Method[] = [
  { pmId: 141948669132824, name: 'Cash', code: 'CASH', accountingReference: 'cash-payment' },
  { pmId: 141948669132825, name: 'Visa', code: 'VISA', accountingReference: 'card-payment' },
  { pmId: 141948669132826, name: 'Gift card', code: 'GIFTCARD', accountingReference: null },
  { pmId: 141948669132827, name: 'Meal voucher', code: 'VOUCHER', accountingReference: null },
  { pmId: 141948669132828, name: 'House account', code: 'INVOICE', accountingReference: 'receivables' },
  { pmId: 141948669132829, name: 'Online order', code: 'OOPAYMENT', accountingReference: 'online-payment' },
]

/** Items that are only sold with another one. */
export const productModifiers = [
  { sku: 'MOD-HOT', name: 'Extra hot', unit: 0 },
  { sku: 'MOD-OAT', name: 'Oat milk', unit: 60 },
  { sku: 'MOD-CHEESE', name: 'Cheese', unit: 120 },
  { sku: 'MOD-TRUFFLE', name: 'Truffle sauce', unit: 95 },
] as const

/** Spelled as the platform spells it. */
export const instructionGroups = [
  {
    multiSelectionPermitted: false,
    productionInstructionGroupName: 'Meat cooking',
    productionIntructionGroupId: 236025632784487,
    productionInstructionList: [
      { instruction: 'Rare', ikentooModifierId: 236025632784490 },
      { instruction: 'Medium', ikentooModifierId: 236025632784491 },
    ],
  },
  {
    multiSelectionPermitted: true,
    productionInstructionGroupName: 'Kitchen notes',
    productionIntructionGroupId: 236025632784488,
    productionInstructionList: [{ instruction: 'No onions', ikentooModifierId: 236025632784492 }],
  },
] as const
export const instructionOf = (id: string): string | undefined =>
  instructionGroups
    .flatMap(({ productionInstructionList }) => [...productionInstructionList])
    .find(({ ikentooModifierId }) => String(ikentooModifierId) === id)?.instruction
