// The kinds of money that payments, refunds and payment methods share.
export const methodTypes = [
  'CASH',
  'CARD',
  'GIFT_CARD',
  'STORE_CREDIT',
  'HOUSE_ACCOUNT',
  'BANK_TRANSFER',
  'WALLET',
  'BNPL',
  'LOYALTY',
  'CHECK',
  'VOUCHER',
  'OTHER',
] as const
export type MethodType = (typeof methodTypes)[number]
