// https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Location
import { type ConnectionArguments, connection } from './connections.ts'
import { idIn, type Resolvers } from './wire.ts'
import { gid, iso, type Location } from './world.ts'

export const locationView = (location: Location): object => ({
  id: gid('Location', location.id),
  name: location.name,
  isActive: location.isActive,
  createdAt: iso(location.createdAt),
  updatedAt: iso(location.updatedAt),
  address: {
    address1: '210 King Street West',
    address2: null,
    city: 'Toronto',
    province: 'Ontario',
    provinceCode: 'ON',
    zip: 'M5H 1J8',
    country: 'Canada',
    countryCode: 'CA',
  },
})
interface Arguments extends ConnectionArguments {
  includeInactive?: boolean | null
}

export const locationQueries: Resolvers = {
  // Without an id: the primary location.
  location: ({ id }, { world }) => {
    const location = world.locations.get(id == null ? world.locations.ids()[0]! : idIn('Location', id))
    return location ? locationView(location) : null
  },
  locations: (args: Arguments, { world }) =>
    connection(
      world.locations.filter(({ isActive }) => isActive || args.includeInactive === true),
      args,
      (location, key) => (key === 'NAME' ? location.name : Number(location.id)),
      locationView,
    ),
}
