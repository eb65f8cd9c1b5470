import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { amount, currency, flag, integer, oneOf, optional, ownId, referenceTo, text, url } from '../field.ts'

const fields = Type.Object({
  externalId: ownId('product'),
  name: Type.String({ description: 'Primary product or menu item name', minLength: 1 }),
  description: optional(text('Long or alternate description')),
  sku: optional(text('Primary SKU, PLU or item code')),
  barcode: optional(text('Barcode, UPC, EAN or external item code')),
  price: optional(amount('Primary sell price')),
  cost: optional(amount('Unit cost')),
  active: optional(flag('Whether the product is available or active')),
  taxable: optional(flag('Whether default taxes apply')),
  categoryExternalId: optional(referenceTo('category')),
  stockOnHand: optional(integer('On-hand stock quantity')),
  currencyCode: optional(currency('Currency of price and cost; needed by some write targets')),
  trackInventory: optional(flag('Whether the source item tracks inventory')),
  priceType: optional(oneOf(['FIXED', 'VARIABLE', 'PER_UNIT'], 'How the price is set')),
  categoryName: optional(text('Human-readable category or product type name')),
  vendor: optional(text('Vendor, manufacturer or brand label')),
  tags: optional(Type.Array(Type.String(), { description: 'Searchable tags or labels' })),
  imageUrl: optional(url('Primary product image URL')),
})
export type Product = Static<typeof fields>

export const product = defineEntity<Product>({
  entityType: 'product',
  title: 'Product',
  verticals: ['restaurant', 'retail_pos'],
  writable: true,
  fields,
  only: {
    restaurant: ['/trackInventory', '/priceType'],
    retail_pos: ['/categoryName', '/vendor', '/tags', '/imageUrl'],
  },
  references: { '/categoryExternalId': 'category' },
  money: ['/price', '/cost'],
  example: {
    externalId: 'SRC-PRODUCT-1',
    name: 'Flat white',
    description: 'Double ristretto with steamed milk',
    sku: 'COF-FW-01',
    barcode: '4006381333931',
    price: 4.5,
    cost: 1.2,
    active: true,
    taxable: true,
    categoryExternalId: 'SRC-CATEGORY-1',
    stockOnHand: 24,
    currencyCode: 'USD',
    trackInventory: true,
    priceType: 'FIXED',
    categoryName: 'Coffee',
    vendor: 'North Roasters',
    tags: ['hot', 'milk'],
    imageUrl: 'https://images.example.com/flat-white.png',
  },
})
