// An update by a credential that does not see every field: what is hidden stays as it is at the platform, at any depth.
import type { EntityDefinition } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Credential } from '../store/store.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

const contains = (value: unknown, hidden: readonly string[]): boolean =>
  Array.isArray(value)
    ? value.some((item) => contains(item, hidden))
    : isObject(value) && Object.entries(value).some(([name, inner]) => hidden.includes(name) || contains(inner, hidden))

/** An update replaces the record. The fields that its caller cannot see get the values that the platform has. */
export const keepingHidden = (
  record: Json,
  current: object,
  { hiddenFields = [] }: Credential,
  { lists }: Pick<EntityDefinition, 'lists'>,
): Json =>
  kept(
    record,
    current as Json,
    hiddenFields,
    lists.flatMap(({ sameBy }) => sameBy),
    '',
  )

function kept(record: Json, current: Json, hidden: readonly string[], sameBy: readonly string[], at: string): Json {
  const full: Json = { ...record }
  for (const [name, value] of Object.entries(current)) {
    const given = record[name]
    if (hidden.includes(name)) {
      if (!(name in record)) full[name] = value
    } else if (!contains(value, hidden)) continue
    else if (isObject(value)) full[name] = kept(isObject(given) ? given : {}, value, hidden, sameBy, `${at}/${name}`)
    else if (given === undefined) full[name] = value
    else full[name] = keptEntries(objectsIn(given), objectsIn(value), hidden, sameBy, `${at}/${name}`)
  }
  return full
}

/** Entries are matched by their ids, or by what they are of where none is ambiguous. */
function keptEntries(
  given: readonly Json[],
  current: readonly Json[],
  hidden: readonly string[],
  sameBy: readonly string[],
  at: string,
): Json[] {
  const marks = ['externalId', ...sameBy, 'name'].filter((name) => !hidden.includes(name))
  const found = given.map((entry) => {
    const mark = marks.find((name) => entry[name] !== undefined)
    return mark === undefined ? [] : current.filter((one) => one[mark] === entry[mark])
  })
  const taken = new Set(found.flat())
  const isAmbiguous = found.some((matches) => matches.length > 1) || found.flat().length !== taken.size
  const inPlace = given.length === current.length && found.every((matches, n) => matches.includes(current[n] as Json))
  if (isAmbiguous && !inPlace) throw cannotMatch(at)
  // A new entry has nothing to keep, but it may be one whose mark has changed.
  const isLost = current.some((one) => !taken.has(one)) && found.some((matches) => matches.length === 0)
  if (isLost) throw cannotMatch(at)
  return given.map((entry, n) => {
    const match = inPlace ? current[n] : found[n]?.[0]
    return match ? kept(entry, match, hidden, sameBy, `${at}/${n}`) : entry
  })
}

const cannotMatch = (at: string) =>
  new Problem(
    'insufficient_scope',
    `The key hides fields of ${at}, and its entries cannot be matched with those of the platform, so hidden values would be lost. Nothing was sent. Keep each entry with its externalId, or ask a person for a key that sees all fields.`,
    { extra: { limit: 'hiddenFields' } },
  )
