// What the resources of the platform have in common.

import type { Fields } from '../../../sandbox/http.ts'
import { resourcesOf } from '../../../sandbox/resource.ts'
import { bodyOf, ok, unknown } from './wire.ts'
import type { World } from './world.ts'

/** POST creates and changes; what was deleted is named. */
export const resource = resourcesOf<World>({
  body: (request) => bodyOf(request) as Fields,
  one: (record, _, operation) =>
    ok(operation === 'remove' ? { deleted_object_ids: [(record as { id: string }).id] } : record),
  missing: (name) => unknown(`${name}_id`),
})
