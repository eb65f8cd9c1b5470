// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

/** The entity types, and what they are called. */
export const entityTypes = {
  product: {"one":"product","many":"products","writable":true,"isPerson":false,"onRequest":false},
  order: {"one":"order","many":"orders","writable":true,"isPerson":false,"onRequest":false},
  customer: {"one":"customer","many":"customers","writable":true,"isPerson":true,"onRequest":false},
  category: {"one":"category","many":"categories","writable":true,"isPerson":false,"onRequest":false},
  employee: {"one":"employee","many":"employees","writable":true,"isPerson":true,"onRequest":false},
  time_entry: {"one":"time entry","many":"time entries","writable":false,"isPerson":false,"onRequest":false},
  shift: {"one":"shift","many":"shifts","writable":false,"isPerson":false,"onRequest":false},
  location: {"one":"location","many":"locations","writable":false,"isPerson":false,"onRequest":false},
  payment: {"one":"payment","many":"payments","writable":true,"isPerson":false,"onRequest":true},
  refund: {"one":"refund","many":"refunds","writable":false,"isPerson":false,"onRequest":true},
  tax_rate: {"one":"tax rate","many":"tax rates","writable":false,"isPerson":false,"onRequest":true},
  payment_method: {"one":"payment method","many":"payment methods","writable":false,"isPerson":false,"onRequest":true},
} as const
