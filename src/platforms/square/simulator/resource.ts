// What the resources of the platform have in common.
import { resourcesOf } from '../../../sandbox/resource.ts'
import { bodyOf, notFound, ok } from './wire.ts'
import type { World } from './world.ts'

/** Resources respond with a record under their name. */
export const resource = resourcesOf<World>({
  body: bodyOf,
  bodyFirst: true,
  one: (record, name, operation) => ok(operation === 'remove' ? {} : { [name]: record }),
  missing: (name, id) => notFound(`${sentence(name)} with ID \`${id}\` not found.`),
})
const sentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replace('_', ' ')
