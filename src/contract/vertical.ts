export const verticals = ['restaurant', 'retail_pos', 'accounting'] as const
export type Vertical = (typeof verticals)[number]
