import { defineEntity, type RecordOf } from '../define-entity.ts'
import { flag, label, optional, referenceTo, text, texts } from '../field.ts'

export const category = defineEntity('category', {
  names: { one: 'category', many: 'categories' },
  verticals: ['restaurant'],
  writable: true,
  personal: 'none',
  identity: [['name', 'parentExternalId']],
  fields: {
    name: label('Display name of the category or menu group'),
    description: optional(text('Category description')),
    parentExternalId: optional(referenceTo('category', undefined, 'parent category')),
    active: optional(flag('Whether the category is active or not deleted'), { leftOut: 'keeps', default: true }),
    imageIds: optional(texts('Source image identifiers')),
  },
  example: {
    externalId: 'SRC-CATEGORY-1',
    name: 'Hot drinks',
    description: 'Coffee and tea',
    parentExternalId: 'SRC-CATEGORY-0',
    active: true,
    imageIds: ['IMG-1'],
  },
})
export type Category = RecordOf<typeof category>
