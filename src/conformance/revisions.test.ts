import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Connector, EntityAdapter } from '../contract/connector.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { adapterOf } from '../engine/support.ts'
import { connectors } from '../platforms/registry.ts'
import { nameOf, type Pin, pinned, problemWith } from './revisions.ts'

const pins = readFileSync(join(import.meta.dirname, 'revisions.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pin)

it('an adapter that gives other records for the same rows has a higher revision', () => {
  expect(pins.flatMap((pin) => problemWith(connectors, pin)?.problem ?? [])).toEqual([])
})
it('every adapter is pinned; if not, run `npm run pin-revisions`', () => {
  const offered = Object.values(connectors).flatMap((connector) =>
    connector.verticals.flatMap((vertical) =>
      entityTypes
        .filter((entityType) => adapterOf(connector, vertical, entityType))
        .map((entityType) => nameOf({ platform: connector.id, vertical, entityType })),
    ),
  )
  expect(pins.map(nameOf).toSorted()).toEqual(offered.toSorted())
})
it('finds another output, a revision that was not raised, and one that was lowered', () => {
  const pin = pins.find(({ platform, entityType }) => platform === 'square' && entityType === 'customer') as Pin
  const square = connectors.square as Connector
  const customer = square.entities.customer as EntityAdapter<EntityType>
  const changed = (over: Partial<EntityAdapter<EntityType>>) => ({
    square: { ...square, entities: { ...square.entities, customer: { ...customer, ...over } } } as Connector,
  })
  const toUnified: EntityAdapter<EntityType>['toUnified'] = (...given) => ({
    ...customer.toUnified(...given),
    externalId: 'another',
  })
  expect(problemWith(changed({}), pin)).toBeUndefined()
  const forgotten = problemWith(changed({ toUnified }), pin)
  expect(forgotten).toMatchObject({ blocked: true, problem: expect.stringContaining('Raise `revision`') })
  const raised = changed({ toUnified, revision: pin.revision + 1 })
  expect(problemWith(raised, pin)).toMatchObject({ blocked: false, problem: expect.stringContaining('was raised') })
  expect(problemWith(raised, pinned(raised, pin) as Pin)).toBeUndefined()
  expect(problemWith(changed({ revision: pin.revision - 1 }), pin)).toMatchObject({ blocked: true })
})
