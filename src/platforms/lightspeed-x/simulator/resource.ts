// What the resources of the platform have in common.
import { resourcesOf } from '../../../sandbox/resource.ts'
import { bodyOf, missing, ok } from './wire.ts'
import type { World } from './world.ts'

/** A record that is deleted is listed on request, and not found. */
export const resource = resourcesOf<World>({
  body: bodyOf,
  one: (record, _, operation) =>
    operation === 'remove' ? { status: 204 } : ok(record, operation === 'create' ? 201 : 200),
  missing,
})
