/** The types that a custom field can have. */
export const customTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
export type CustomType = (typeof customTypes)[number]
