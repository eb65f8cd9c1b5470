// What a migration would do, without writing anything: counts, what the target cannot take and will not keep, and how
// long it takes at both limits.

import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { placesOf } from '../contract/pointer.ts'
import { isFailure, isRefusal, reasonOf } from './failure.ts'
import { type Check, type Fitted, type Fitting, fitRecord } from './fit.ts'
import { inParallel } from './in-parallel.ts'
import type { Notebook } from './notebook.ts'
import { placeOf, type Report } from './report.ts'
import type { Place, Route } from './route.ts'
import type { Selection } from './selection.ts'
import type { NoteKind, SourceRecord } from './shape.ts'
import type { Side } from './side.ts'

export interface FieldPlan {
  pointer: string
  what: NoteKind | 'not_stored' | 'left_out' | 'refused' | 'unreadable'
  message: string
  records: number
  missing?: boolean // records are left out because they have no value here: a default lets them in
}
export interface EntityPlan {
  entity: EntityType
  source: number
  notAsked: number
  toWrite: number
  leftOut: number
  atTarget: number // already there
  callsPerRecord: number
  seconds: number
  fields: FieldPlan[]
}
export interface MigrationPlan {
  from: Report['from']
  to: Report['from']
  entities: EntityPlan[]
  notMoved: Route['notMoved']
  seconds: number
}
interface Planning {
  from: Side
  to: Side
  route: Route
  selection: Selection
  fitting: Fitting
  notebook: Notebook // a fresh one: it remembers which records will be there
  count(records: number): void
}

const samples = 3
const pageSize = 250

export async function planMigration(planning: Planning): Promise<MigrationPlan> {
  const { from, to, route } = planning
  const plans: EntityPlan[] = []
  for (const entity of route.entities) plans.push(await planEntity(planning, entity))
  return {
    from: placeOf(from.place),
    to: placeOf(to.place),
    entities: plans,
    notMoved: route.notMoved,
    seconds: plans.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

async function planEntity(
  { from, to, route, selection, fitting, notebook, count }: Planning,
  entity: EntityType,
): Promise<EntityPlan> {
  const plan: EntityPlan = {
    entity,
    source: 0,
    notAsked: 0,
    toWrite: 0,
    leftOut: 0,
    atTarget: 0,
    callsPerRecord: 1,
    seconds: 0,
    fields: [],
  }
  const fields = createFields(plan)
  const hopeful = { ...fitting, check: expecting(fitting, route, notebook) }
  const steps: number[] = []
  for await (const { records, unreadable, refunds } of from.pages(entity, selection.updatedAfter(entity))) {
    for (const { id, message } of unreadable) fields.add(id, '', 'unreadable', message)
    for (const { id, message } of refunds) {
      if (!notebook.see(entity, id)) continue
      plan.source++
      plan.leftOut++
      fields.add(id, '', 'left_out', message)
    }
    await inParallel(records, async (record) => {
      if (!selection.wants(entity, record)) plan.notAsked++
      else if (notebook.see(entity, record.externalId)) {
        const fitted = await fitRecord(entity, record, hopeful)
        notePlanned(notebook, entity, record, fitted)
        fields.take(record.externalId, fitted)
        if (fitted.obstacles.length > 0 || steps.length >= samples) return
        const { calls, refusal } = await rehearse(to, entity, fitted.body)
        steps.push(calls)
        if (refusal !== undefined) fields.add(record.externalId, '', 'refused', refusal)
      }
    })
    count(records.length)
  }
  for await (const { records } of to.pages(entity)) plan.atTarget += records.length
  plan.callsPerRecord =
    steps.length === 0 ? 1 : Math.round((steps.reduce((sum, calls) => sum + calls, 0) / steps.length) * 10) / 10
  plan.seconds = secondsFor(plan, from.place, to.place)
  return plan
}

/** Nothing is written yet: what will be there by then counts as there. */
const expecting =
  ({ check, prefix }: Fitting, { entities: coming }: Route, notebook: Notebook): Fitting['check'] =>
  async (entity, body): Promise<Check> => {
    const answer = await check(entity, body)
    if (answer.references === 'unknown') return answer
    const known = new Set(answer.references.map(({ pointer }) => pointer))
    const expected = Object.entries(entities[entity].references).flatMap(([pattern, target]) =>
      entities[target].linked || !coming.includes(target)
        ? []
        : placesOf(body, pattern).filter(
            ({ pointer, value }) =>
              !known.has(pointer) &&
              (target === entity ||
                notebook.acknowledged(target, String(value).slice(prefix.length))?.targetId === 'planned'),
          ),
    )
    return {
      ...answer,
      missing: answer.missing.filter(({ pointer }) => !expected.some((one) => one.pointer === pointer)),
      references: [...answer.references, ...expected.map(({ pointer }) => ({ pointer, nativeId: 'planned' }))],
    }
  }
function notePlanned(
  notebook: Notebook,
  entity: EntityType,
  { externalId }: SourceRecord,
  { obstacles }: Fitted,
): void {
  notebook.acknowledge(entity, externalId, {
    targetId: obstacles.length === 0 ? 'planned' : '',
    sourceHash: '',
    notes: [],
    warnings: [],
    references: {},
  })
}

/**
 * A dry run returns the steps that are known in advance; one call is added, because most writes look something up
 * first. What the record names is not there yet.
 */
async function rehearse(
  to: Side,
  entity: EntityType,
  body: SourceRecord,
): Promise<{ calls: number; refusal?: string }> {
  const alone = structuredClone(body)
  for (const [pattern, target] of Object.entries(entities[entity].references))
    for (const { set } of entities[target].linked ? [] : placesOf(alone, pattern)) set(undefined)
  try {
    return { calls: (await to.steps(entity, alone)).length + 1 }
  } catch (error) {
    if (!isFailure(error) || !isRefusal(error)) throw error
    return { calls: 2, refusal: reasonOf(error) }
  }
}

function createFields(plan: EntityPlan) {
  const last = new Map<FieldPlan, string>()
  const byKey = new Map<string, FieldPlan>()
  const add = (sourceId: string, pointer: string, what: FieldPlan['what'], message: string, missing = false) => {
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
    const key = `${what} ${place} ${missing} ${what === 'reference' ? '' : message}`
    const field = byKey.get(key) ?? { pointer: place, what, message, records: 0, ...(missing ? { missing } : {}) }
    if (!byKey.has(key)) plan.fields.push(field)
    byKey.set(key, field)
    // Two lines of one order are one record.
    if (last.get(field) !== sourceId) field.records++
    last.set(field, sourceId)
  }
  return {
    add,
    take(sourceId: string, { notes, warnings, obstacles }: Fitted): void {
      plan.source++
      if (obstacles.length > 0) plan.leftOut++
      else plan.toWrite++
      for (const { pointer, message, missing } of obstacles) add(sourceId, pointer, 'left_out', message, missing)
      if (obstacles.length > 0) return
      for (const { pointer, kind, message } of notes) add(sourceId, pointer, kind, message)
      for (const { pointer = '', message } of warnings) add(sourceId, pointer, 'not_stored', message)
    },
  }
}

const perSecond = ({ rateLimit }: Place): number =>
  Math.min(...rateLimit.map(({ requests, seconds }) => requests / seconds))

/**
 * Reading goes on beside writing, so the slower of the two counts; the comparison afterwards reads both sides once
 * more.
 */
function secondsFor(
  { entity, source, notAsked, toWrite, atTarget, callsPerRecord }: EntityPlan,
  from: Place,
  to: Place,
): number {
  const pages = (records: number, place: Place) =>
    Math.ceil(Math.max(1, records) / Math.min(pageSize, place.entities[entity]?.pageLimit ?? pageSize))
  const reading = pages(source + notAsked, from) / perSecond(from)
  const writing = (toWrite * callsPerRecord) / perSecond(to)
  const walks = (pages(atTarget, to) + pages(atTarget + toWrite, to)) / perSecond(to)
  return Math.ceil(Math.max(reading, writing) + reading + walks)
}
