// Changes of a record by update. Each content has a number; every part of it depends on the number, so that a mixture
// of two contents shows.
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { EntityType } from '../../src/contract/entity.ts'

export interface Mutation {
  name: string
  /** The record with this content. */
  apply(record: AnyRecord, content: number): AnyRecord
  /** The part of the record that the mutation sets. */
  part(record: AnyRecord): unknown
}

const field = (name: string, value: (content: number) => unknown): Mutation => ({
  name,
  apply: (record, content) => ({ ...record, [name]: value(content) }),
  part: (record) => record[name],
})
const person: Mutation = {
  name: 'person',
  apply: (record, content) => ({
    ...record,
    firstName: `First${content}`,
    lastName: `Last${content}`,
    name: `First${content} Last${content}`,
  }),
  part: ({ firstName, lastName }) => [firstName, lastName],
}
const address: Mutation = {
  name: 'address',
  apply: (record, content) => ({
    ...record,
    address: { ...record.address, line1: `${content} Harbor Street`, city: `City ${content}` },
  }),
  part: (record) => [record.address?.line1, record.address?.city],
}
/** Platforms calculate the totals of other lines. */
const lines: Mutation = {
  name: 'lines',
  apply({ total: _, taxTotal: __, ...record }, content) {
    const line = (part: string) => ({ name: `Line ${content}${part}`, quantity: 1 + (content % 3), unitPrice: 2 })
    return { ...record, lineItems: ['a', 'b', 'c'].map(line) }
  },
  part: (record) => record.lineItems?.map(({ name, quantity }: { name: string; quantity: number }) => [name, quantity]),
}
const candidates: Partial<Record<EntityType, readonly Mutation[]>> = {
  customer: [person, address],
  product: [
    field('name', (content) => `Product ${content}`),
    field('stockOnHand', (content) => content),
    field('price', (content) => content),
  ],
  order: [field('note', (content) => `Note ${content}`), lines],
  category: [field('name', (content) => `Category ${content}`)],
  employee: [person],
}
export const candidatesFor = (entityType: EntityType): readonly Mutation[] => candidates[entityType] ?? []

/** The record with this content in every part that the platform can change. */
export const contentOf = (mutations: readonly Mutation[], record: AnyRecord, content: number): AnyRecord =>
  mutations.reduce((changed, { apply }) => apply(changed, content), record)
export const partsOf = (mutations: readonly Mutation[], record: AnyRecord): Record<string, unknown> =>
  Object.fromEntries(mutations.map(({ name, part }) => [name, part(record)]))
