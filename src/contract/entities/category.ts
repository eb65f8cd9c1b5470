import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { flag, optional, ownId, referenceTo, text } from '../field.ts'

const fields = Type.Object({
  externalId: ownId('category'),
  name: Type.String({ description: 'Display name of the category or menu group', minLength: 1 }),
  description: optional(text('Category description')),
  parentExternalId: optional(referenceTo('parent category')),
  active: optional(flag('Whether the category is active or not deleted')),
  imageIds: optional(Type.Array(Type.String(), { description: 'Source image identifiers' })),
})
export type Category = Static<typeof fields>

export const category = defineEntity<Category>({
  entityType: 'category',
  title: 'Category',
  verticals: ['restaurant'],
  writable: true,
  fields,
  only: {},
  references: { '/parentExternalId': 'category' },
  money: [],
  example: {
    externalId: 'SRC-CATEGORY-1',
    name: 'Hot drinks',
    description: 'Coffee and tea',
    parentExternalId: 'SRC-CATEGORY-0',
    active: true,
    imageIds: ['IMG-1'],
  },
})
