// What the resources of the platform have in common.
import { resourcesOf } from '../../../sandbox/resource.ts'
import { bodyOf, ok, refuse } from './wire.ts'
import type { World } from './world.ts'

/** POST creates and changes. */
export const resource = resourcesOf<World>({
  body: bodyOf,
  one: (record, _, operation) => ok(operation === 'remove' ? {} : record),
  missing: (name) => refuse(404, 'Not Found', `${name.charAt(0).toUpperCase()}${name.slice(1)} not found`),
  updates: 'POST',
})
