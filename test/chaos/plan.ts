// The records of a run and their order, derived from the seed before the run starts.
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { entities } from '../../src/contract/entities/index.ts'
import type { EntityType } from '../../src/contract/entity.ts'
import { setAt } from '../../src/contract/pointer.ts'
import type { Random } from './random.ts'
import type { Site } from './survey.ts'
import { planRounds, type Round } from './updates.ts'

export interface PlannedWrite {
  number: number
  site: Site
  record: AnyRecord
  needs: { pointer: string; write: PlannedWrite; stored: boolean }[] // references to earlier records of the plan
  copies: number // concurrent posts of the same key
  impatient: boolean // does not wait until its references are acknowledged
  rounds: readonly Round[] // updates after that; no other record refers to this one then
}
/** Ids that exist before the run, for references to records that cannot be written. */
export type SeededIds = (site: Site, type: EntityType) => string | undefined

export function planWrites(
  count: number,
  sites: readonly Site[],
  seeded: SeededIds,
  run: string,
  random: Random,
  updates = 0,
): PlannedWrite[] {
  const plan: PlannedWrite[] = []
  const bySite = new Map<Site, PlannedWrite[]>(sites.map((site) => [site, []]))
  const siteOf = ({ accountId }: Site, type: EntityType) =>
    sites.find((site) => site.accountId === accountId && site.entityType === type)

  function add(site: Site, rounds: readonly Round[] = []): PlannedWrite {
    const needs: PlannedWrite['needs'] = []
    const values = new Map<string, string>()
    for (const { pointer, type, stored } of site.references) {
      const other = siteOf(site, type)
      if (entities[type].linked) values.set(pointer, 'MAIN')
      else if (site.paysDue && type === 'order') continue
      else if (!other) values.set(pointer, seeded(site, type) ?? '')
      else {
        // An order is paid once.
        const write =
          other === site
            ? topLevel(site)
            : site.entityType === 'payment' && type === 'order'
              ? add(other)
              : earlier(other)
        if (write) needs.push({ pointer, write, stored })
      }
    }
    const number = plan.length + 1
    const record = distinct(site, number, run)
    for (const [pointer, value] of values) if (value) setAt(record, pointer, value)
    for (const { pointer, write } of needs) setAt(record, pointer, write.record.externalId)
    const write: PlannedWrite = {
      number,
      site,
      record,
      needs,
      copies: random.chance(0.05) ? 2 + random.below(3) : 1,
      impatient: random.chance(0.2),
      rounds,
    }
    plan.push(write)
    if (rounds.length === 0) bySite.get(site)?.push(write)
    return write
  }
  /** Usually a recent one, which may still be in progress. */
  function earlier(site: Site): PlannedWrite {
    const known = bySite.get(site) as PlannedWrite[]
    return known.length === 0 ? add(site) : random.pick(random.chance(0.7) ? known.slice(-5) : known)
  }
  /** A parent of the same kind, at most two levels deep, which every platform accepts. */
  function topLevel(site: Site): PlannedWrite | undefined {
    const tops = (bySite.get(site) as PlannedWrite[]).filter(({ needs }) => needs.length === 0)
    return tops.length > 0 && random.chance(0.5) ? random.pick(tops) : undefined
  }
  /** Equal content under another key, right after the first. */
  function addTwin({ site, record, needs, impatient }: PlannedWrite): void {
    const number = plan.length + 1
    const twin = { ...record, externalId: `${run}-${site.entityType}-${number}` }
    const write = { number, site, record: twin, needs, copies: 1, impatient, rounds: [] }
    plan.push(write)
  }
  for (const site of sites) add(site)
  const updatable = sites.filter(({ mutations }) => mutations.length > 0)
  const perRecord = 8
  const updated = updatable.length === 0 ? 0 : Math.ceil(updates / perRecord)
  const spread = Math.max(1, Math.floor((count - plan.length) / (updated + 1)))
  for (let rest = updated; plan.length < count || rest > 0; ) {
    if (rest > 0 && (plan.length >= count || plan.length % spread === 0)) {
      const rounds = planRounds(Math.min(perRecord, updates - (updated - rest) * perRecord), 20 * plan.length, random)
      add(updatable[rest % updatable.length] as Site, rounds)
      rest--
    } else {
      const write = add(random.pick(sites))
      if (write.site.twins && random.chance(0.1)) addTwin(write)
    }
  }
  return plan
}

/** Unique values where a platform may require them. */
function distinct({ template, entityType }: Site, number: number, run: string): AnyRecord {
  const record: AnyRecord = { ...structuredClone(template), externalId: `${run}-${entityType}-${number}` }
  if (record.sku) record.sku = `${record.sku}-${number}`
  if (record.email) record.email = `chaos.${number}@example.com`
  if (record.barcode) record.barcode = ean13(number)
  if (record.phone)
    record.phone = `+1${415 + Math.floor(number / 10_000)}556${String(number % 10_000).padStart(4, '0')}`
  if (record.employeeCode) record.employeeCode = `C-${number}`
  if (['customer', 'category', 'product', 'employee'].includes(entityType)) record.name = `${record.name} ${number}`
  if (record.lastName) record.lastName = `${record.lastName} ${number}`
  return record
}

function ean13(number: number): string {
  const digits = `400639${String(number).padStart(6, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return digits + String((10 - (sum % 10)) % 10)
}

/** The same key with different content, which the service must reject. */
export const changed = ({ site, record }: PlannedWrite): AnyRecord =>
  site.entityType === 'order' || site.entityType === 'payment'
    ? { ...record, note: 'another note' }
    : { ...record, name: `${record.name} changed` }
