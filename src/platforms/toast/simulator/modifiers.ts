// Modifier groups of the menus. An option stands for an item; options can have groups of their own.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import { invalid, refuse } from './wire.ts'
import type { Item } from './world.ts'

export interface Option {
  referenceId: number
  guid: string
  name: string
  price: number // in dollars
  groups: readonly number[]
}
export interface OptionGroup {
  referenceId: number
  guid: string
  name: string
  min: number
  max: number | null
  options: readonly Option[]
}
/** As it was chosen for a selection. Without an option it is a special request. */
export interface Modifier {
  name: string
  option?: Option
  group?: OptionGroup
  modifiers: readonly Modifier[]
}

const guid = (number: number) => `0c5e4b1b-52f5-4f57-b7b5-0f1b1c7c9a${String(number).padStart(2, '0')}`
const option = (referenceId: number, name: string, price: number, groups: readonly number[] = []): Option => ({
  referenceId,
  guid: guid(referenceId),
  name,
  price,
  groups,
})
const group = (
  referenceId: number,
  name: string,
  [min, max]: readonly [number, number | null],
  options: readonly Option[],
): OptionGroup => ({
  referenceId,
  guid: `7b1f0f57-9b0f-4b3a-8f4d-3c0b7f5e1a0${referenceId}`,
  name,
  min,
  max,
  options,
})
export const temperature = group(1, 'Temperature', [1, 1], [option(2, 'Medium rare', 0)])
export const extras = group(
  2,
  'Extras',
  [0, null],
  [option(3, 'Extra cheese', 1.25, [3]), option(4, 'Avocado', 2), option(5, 'No salt', 0)],
)
export const cheeses = group(3, 'Cheese', [0, 1], [option(6, 'Blue cheese', 0.75), option(7, 'Cheddar', 0)])
const optionGroups: readonly OptionGroup[] = [temperature, extras, cheeses]

/** As a line of an order names it. */
export const sampleModifier = {
  modifierExternalId: extras.options[0]!.guid,
  modifierGroupExternalId: extras.guid,
  name: 'Extra cheese',
  quantity: 1,
  price: 1.25,
  modifiers: [
    {
      modifierExternalId: cheeses.options[0]!.guid,
      modifierGroupExternalId: cheeses.guid,
      name: 'Blue cheese',
      quantity: 1,
      price: 0.75,
    },
  ],
}

export const groupsOf = ({ needsModifier }: Item): readonly OptionGroup[] =>
  needsModifier ? [temperature, extras] : [extras]
const groupsBelow = ({ groups }: Option): readonly OptionGroup[] =>
  optionGroups.filter(({ referenceId }) => groups.includes(referenceId))

export const chosen = (from: OptionGroup, index: number, modifiers: readonly Modifier[] = []): Modifier => {
  const one = from.options[index]!
  return { name: one.name, option: one, group: from, modifiers }
}
export const request = (name: string): Modifier => ({ name, modifiers: [] })
/** In cents, on one unit of the selection; what is nested is counted once. */
export const priceOfAll = (modifiers: readonly Modifier[]): number =>
  modifiers.reduce((sum, one) => sum + Math.round((one.option?.price ?? 0) * 100) + priceOfAll(one.modifiers), 0)

const guidIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.guid === 'string' ? value.guid : undefined

/** https://doc.toasttab.com/doc/devguide/apiSpecifyingModifiersAndInstructions.html */
export function givenModifiers(given: unknown, groups: readonly OptionGroup[], quantity: number): Modifier[] {
  if (given !== undefined && given !== null && !Array.isArray(given)) return invalid('modifiers must be an array')
  const modifiers = (Array.isArray(given) ? given : []).map((one) => givenModifier(one, groups, quantity))
  for (const { guid: id, name, min, max } of groups) {
    const count = modifiers.filter(({ group: from }) => from?.guid === id).length
    if (count < min) invalid(`A selection from modifier group ${name} is required`)
    if (max !== null && count > max) invalid(`Too many selections from modifier group ${name}`)
  }
  return modifiers
}
function givenModifier(given: unknown, groups: readonly OptionGroup[], quantity: number): Modifier {
  if (!isObject(given)) return invalid('A modifier must be an object')
  if (given.selectionType === 'SPECIAL_REQUEST') return givenRequest(given)
  const groupGuid = guidIn(given.optionGroup) ?? invalid('optionGroup is required on a modifier')
  const from = groups.find((one) => one.guid === groupGuid) ?? refuse(404, 'The modifier group does not exist')
  const itemGuid = guidIn(given.item) ?? invalid('item is required on a modifier')
  const found = from.options.find((one) => one.guid === itemGuid) ?? refuse(404, 'The modifier does not exist')
  if ((given.quantity ?? 1) !== quantity) invalid('The quantity of a modifier must be that of its selection')
  return {
    name: found.name,
    option: found,
    group: from,
    modifiers: givenModifiers(given.modifiers, groupsBelow(found), quantity),
  }
}
function givenRequest({ displayName }: Fields): Modifier {
  if (typeof displayName !== 'string' || displayName.length > 1000)
    return invalid('displayName must be a text of at most 1000 characters')
  return request(displayName)
}

const shown = (name: string) => ({ name, posName: '', posButtonColorLight: '#DCDCDC', posButtonColorDark: '#2B2B2B' })
/** As the menus API has them: maps by reference id. */
export function modifierMaps(): Fields {
  const groupIn = ({ referenceId, guid: id, name, min, max, options }: OptionGroup) => ({
    ...shown(name),
    guid: id,
    referenceId,
    visibility: ['POS'],
    pricingStrategy: 'NONE',
    pricingRules: null,
    minSelections: min,
    maxSelections: max,
    requiredMode: min > 0 ? 'REQUIRED' : 'OPTIONAL',
    isMultiSelect: max !== 1,
    modifierOptionReferences: options.map((one) => one.referenceId),
  })
  const optionIn = ({ referenceId, guid: id, name, price, groups }: Option) => ({
    ...shown(name),
    kitchenName: '',
    guid: id,
    referenceId,
    description: '',
    price,
    plu: '',
    sku: '',
    pricingStrategy: 'NONE',
    pricingRules: null,
    isDefault: false,
    allowsDuplicates: true,
    modifierGroupReferences: groups,
  })
  const options = optionGroups.flatMap((one) => one.options)
  return {
    modifierGroupReferences: Object.fromEntries(optionGroups.map((one) => [one.referenceId, groupIn(one)])),
    modifierOptionReferences: Object.fromEntries(options.map((one) => [one.referenceId, optionIn(one)])),
    preModifierGroupReferences: {},
  }
}
