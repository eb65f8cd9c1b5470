// Finds out what can be written before any fault is injected: a record that each platform accepts, and how each of its
// steps is recovered.
import { isDeepStrictEqual } from 'node:util'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { type AnyRecord, createSubject } from '../../src/conformance/subject.ts'
import type { Connector, EntityAdapter, WriteCall } from '../../src/contract/connector.ts'
import { entities } from '../../src/contract/entities/index.ts'
import { type EntityType, entityTypes, type Vertical } from '../../src/contract/entity.ts'
import { placesOf, setAt, valueAt } from '../../src/contract/pointer.ts'
import { type EntitySupport, platformSupport } from '../../src/engine/support.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { candidatesFor, contentOf, type Mutation } from './mutations.ts'

export interface SurveyedStep {
  name: string
  call: string // method and path
  recovery: 'key' | 'repeat' | 'find' | 'none'
}
/** One writable entity of one account. */
export interface Site {
  platform: string
  vertical: Vertical
  entityType: EntityType
  accountId: string
  support: EntitySupport
  template: AnyRecord // without references
  // Where the platform accepts one; stored: reads return it.
  references: { pointer: string; type: EntityType; stored: boolean }[]
  steps: SurveyedStep[]
  takesStock: boolean // an order reduces the stock of its products
  twins: boolean // the platform accepts equal content under two keys
  paysDue: boolean // a payment that must pay exactly what is due of an order
  mutations: readonly Mutation[] // what an update can change
}

export const siteName = ({ platform, vertical, entityType }: Pick<Site, 'platform' | 'vertical' | 'entityType'>) =>
  `${platform} ${vertical} ${entityType}`

/** The result does not change, so several runs share it. */
const surveyed = new Map<string, Promise<Site[]>>()

export async function survey(platforms: readonly string[]): Promise<Site[]> {
  const sites: Site[] = []
  for (const platform of platforms) {
    const known = surveyed.get(platform) ?? surveyPlatform(platform)
    surveyed.set(platform, known)
    sites.push(...(await known))
  }
  return sites
}

async function surveyPlatform(platform: string): Promise<Site[]> {
  const seen = new Map<string, SurveyedStep>()
  const connector = connectors[platform] as Connector
  const harness = await createHarness({
    connectors: { [platform]: watched(connector, seen) },
    simulators,
    platform,
  })
  try {
    const sites: Site[] = []
    for (const vertical of connector.verticals) {
      for (const entityType of entityTypes) {
        const support = platformSupport(connector).entities[vertical]?.[entityType]
        if (!support?.write) continue
        const record = await createSubject(harness, vertical, entityType).fullRecord()
        seen.clear()
        const { status, body } = await harness.call(
          'POST',
          `/unified/${harness.accountId(vertical)}/${entityType}`,
          record,
          { prefer: 'wait=60' },
        )
        if (status !== 201)
          throw new Error(
            `${platform} ${vertical} ${entityType} accepts no record even without faults: ${status} ${JSON.stringify(body)}`,
          )
        sites.push({
          platform,
          vertical,
          entityType,
          accountId: `sandbox-${platform}-${vertical}`,
          support,
          ...split(entityType, asDerived(record, body.data, support), body.data),
          steps: [...seen.values()],
          takesStock: await takesStock(harness, vertical, record),
          twins: await twins(harness, vertical, entityType, record),
          paysDue:
            entityType === 'payment' && harness.tenants.find((one) => one.vertical === vertical)?.payable !== undefined,
          mutations: support.update ? await mutations(harness, vertical, entityType, body.data) : [],
        })
      }
    }
    return sites
  } finally {
    await harness.close()
  }
}

const waiting = { prefer: 'wait=60' }
async function twins(harness: Harness, vertical: Vertical, entityType: EntityType, record: AnyRecord) {
  const twin = { ...record, externalId: `${record.externalId}-twin` }
  const path = `/unified/${harness.accountId(vertical)}/${entityType}`
  return (await harness.call('POST', path, twin, waiting)).status === 201
}

/** Each mutation that the platform stores, alone and again. */
async function mutations(
  harness: Harness,
  vertical: Vertical,
  entityType: EntityType,
  written: AnyRecord,
): Promise<Mutation[]> {
  const path = `/unified/${harness.accountId(vertical)}/${entityType}/${encodeURIComponent(written.externalId)}`
  const possible: Mutation[] = []
  for (const mutation of candidatesFor(entityType)) {
    const stored = async (content: number) => {
      const target = contentOf([...possible, mutation], written, content)
      const { status, body } = await harness.call('PUT', path, target, waiting)
      return status === 200 && isDeepStrictEqual(mutation.part(body.data), mutation.part(target))
    }
    if ((await stored(1)) && (await stored(2))) possible.push(mutation)
  }
  return possible
}

async function takesStock(harness: Harness, vertical: Vertical, { lineItems }: AnyRecord): Promise<boolean> {
  const sold = lineItems?.[0]?.productExternalId
  if (!sold) return false
  const { body } = await harness.call(
    'GET',
    `/unified/${harness.accountId(vertical)}/product?externalId=${encodeURIComponent(sold)}`,
    undefined,
    { prefer: 'wait=60' },
  )
  const written = (entities.product.example as { stockOnHand?: number }).stockOnHand
  return body.data[0]?.stockOnHand !== undefined && body.data[0].stockOnHand !== written
}

/** The values that the platform derives are those that it derives without faults, so that they can be compared. */
function asDerived(record: AnyRecord, response: AnyRecord, { derived }: EntitySupport): AnyRecord {
  const expected = structuredClone(record)
  for (const pattern of derived)
    for (const { pointer } of placesOf(expected, pattern)) {
      const value = valueAt(response, pointer)
      if (value !== undefined) setAt(expected, pointer, value)
    }
  return expected
}

function split(entityType: EntityType, record: AnyRecord, response: AnyRecord): Pick<Site, 'template' | 'references'> {
  const template = structuredClone(record)
  const references: Site['references'] = []
  for (const [pattern, type] of Object.entries(entities[entityType].references)) {
    for (const { pointer } of placesOf(template, pattern)) {
      references.push({ pointer, type, stored: placesOf(response, pointer).length > 0 })
      setAt(template, pointer, undefined)
    }
  }
  return { template, references }
}

function watched(connector: Connector, seen: Map<string, SurveyedStep>): Connector {
  const watching = (call: WriteCall): WriteCall => ({
    ...call,
    write(name, step) {
      const { recovery, request } = step
      seen.set(name, {
        name,
        call: `${request.method} ${request.path}`,
        recovery: typeof recovery === 'string' ? recovery : 'find',
      })
      return call.write(name, step)
    },
  })
  return withCalls(connector, watching)
}

/** The same connector with another call object for creates. */
export function withCalls(connector: Connector, wrap: (call: WriteCall) => WriteCall): Connector {
  const wrapped = Object.entries(connector.entities as Record<string, EntityAdapter<EntityType>>).map(
    ([type, adapter]) => {
      const { create } = adapter
      return [
        type,
        create
          ? {
              ...adapter,
              create: { ...create, run: (call: WriteCall, record: never) => create.run(wrap(call), record) },
            }
          : adapter,
      ]
    },
  )
  return { ...connector, entities: Object.fromEntries(wrapped) }
}
