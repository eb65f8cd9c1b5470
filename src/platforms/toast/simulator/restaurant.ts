// The restaurant itself.
import type { Routes } from '../../../sandbox/router.ts'
import { ok, refuse } from './wire.ts'
import type { World } from './world.ts'

export const restaurantRoutes: Routes<World> = {
  'GET /restaurants/v1/restaurants/:guid': ({ params: { guid }, context: world }) => {
    if (guid !== world.guid) return refuse(404, 'The restaurant was not found')
    return ok({
      guid: world.guid,
      general: {
        name: world.name,
        locationName: world.names.get('location') ?? 'Harbor',
        locationCode: 'HRB',
        description: 'Grill by the water',
        timeZone: world.timeZone,
        closeoutHour: world.closeoutHour,
        managementGroupGuid: '5f0b6a0e-76d8-4e55-a64e-1d9b5a8b0a01',
        currencyCode: world.currency,
        firstBusinessDate: world.firstBusinessDate,
        archived: false,
      },
      urls: {
        website: 'https://example.com',
        facebook: null,
        twitter: null,
        orderOnline: null,
        purchaseGiftCard: null,
        checkGiftCard: null,
      },
      location: {
        address1: '12 Harbor Street',
        address2: null,
        city: 'Boston',
        stateCode: 'MA',
        administrativeArea: 'MA',
        zipCode: '02210',
        country: 'US',
        phone: '6175550100',
      },
      delivery: { enabled: true, minimum: 15 },
      prepTimes: { deliveryPrepTime: 30, takeoutPrepTime: 15 },
    })
  },
}
