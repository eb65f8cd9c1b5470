// The requirements of a platform beyond the schema, as data: checked before a write, shown in the support matrix.
import type { Condition, Requirement } from '../contract/connector.ts'
import type { Pointer } from '../contract/entity.ts'
import { missingPlaces, placesOf } from '../contract/pointer.ts'

/** 0 is no discount and no tax, and a blank text is no text. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== 0 && !(typeof value === 'string' && value.trim() === '')

/** The pattern with the indexes of the place, as far as both lead to the same element. */
function besides(pattern: string, place: string): string {
  const there = place.split('/')
  let same = true
  return pattern
    .split('/')
    .map((step, index) => {
      if (same && step === '*' && /^\d+$/.test(there[index] ?? '')) return there[index]
      same &&= step === there[index]
      return step
    })
    .join('/')
}

/** `root` is the record with the settings of its account. A fact of the platform is left to the connector. */
function applies(root: unknown, { without, with: given, is, isNot, fact }: Condition, place: string): boolean {
  const values = (pattern: Pointer) => placesOf(root, besides(pattern, place)).map(({ value }) => value)
  const among = (table: Readonly<Record<Pointer, readonly string[]>> = {}) =>
    Object.entries(table).map(([pattern, listed]) =>
      values(pattern as Pointer).some((value) => listed.includes(String(value))),
    )
  return (
    fact === undefined &&
    !(without && values(without).some(isGiven)) &&
    !(given && !values(given).some(isGiven)) &&
    among(is).every(Boolean) &&
    !among(isNot).some(Boolean)
  )
}

/** The plain pointers of what the record or the account lacks. */
export const lacking = (root: unknown, requirement: Requirement): string[] =>
  missingPlaces(root, requirement.pointer).filter((place) => applies(root, requirement, place))

/**
 * The requirement with the conditions that are known to hold left out; undefined if one is known not to hold. `known`
 * says whether a field or setting is there.
 */
export function settled(
  requirement: Requirement,
  known: (pointer: Pointer) => boolean | undefined,
): Requirement | undefined {
  const { pointer, without, with: given, is = {}, isNot = {}, fact } = requirement
  const pick = (table: Readonly<Record<Pointer, readonly string[]>>) =>
    Object.entries(table).filter(([field]) => known(field as Pointer) !== false)
  if (known(pointer) || (without && known(without)) || (given && known(given) === false)) return undefined
  if (pick(is).length < Object.keys(is).length) return undefined
  const open = Object.fromEntries(pick(isNot))
  return {
    pointer,
    ...(without && known(without) === undefined && { without }),
    ...(given && known(given) === undefined && { with: given }),
    ...(Object.keys(is).length > 0 && { is }),
    ...(Object.keys(open).length > 0 && { isNot: open }),
    ...(fact !== undefined && { fact }),
  }
}
export const isConditional = ({ pointer: _, ...condition }: Requirement): boolean => Object.keys(condition).length > 0

/** The condition as a clause: "the line has no productExternalId". */
export function clauseOf({ without, with: given, is = {}, isNot = {}, fact }: Condition): string {
  const clauses = [
    ...(fact === undefined ? [] : [fact]),
    ...(given ? [`${ownerOf(given)} has ${article(nameOf(given))}`] : []),
    ...(without ? [`${ownerOf(without)} has no ${nameOf(without)}`] : []),
    ...Object.entries(is).map(([pointer, values]) => `${nameOf(pointer)} is ${anyOf(values)}`),
    ...Object.entries(isNot).map(([pointer, values]) => `${nameOf(pointer)} is not ${anyOf(values)}`),
  ]
  return clauses.join(' and ')
}
/** The pointer of a list's element, such as a line of an order. */
const ofEntry = /^\/\w+\/\*\//
const isSetting = (pointer: string): boolean => pointer.startsWith('/settings/')
const ownerOf = (pointer: string): string =>
  isSetting(pointer) ? 'the account' : ofEntry.test(pointer) ? 'the line' : 'the record'
const nameOf = (pointer: string): string =>
  isSetting(pointer) ? `setting ${pointer.slice('/settings/'.length)}` : pointer.replace(ofEntry, '/').slice(1)
const article = (name: string): string => (/^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`)
export const anyOf = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

/** The message says what to do about it. */
export function demandOf(requirement: Requirement): string {
  const where = isConditional(requirement) ? ` where ${clauseOf(requirement)}` : ''
  const setting = requirement.without && isSetting(requirement.without) ? nameOf(requirement.without) : undefined
  const or = setting ? `, or set ${setting.replace('setting ', '')} in the settings of the account` : ''
  return isSetting(requirement.pointer)
    ? `must be set in the settings of the account${where}`
    : `is required by this platform${where}${or}`
}
