// What the responses of the K-Series services must have: bare arrays (items, open checks), HAL without an empty list
// (finance, rich items), and two envelopes (sales, staff).
import type { Shape } from '../../contract/connector.ts'

/** An empty list is left out, but not its links. */
const hal = (rows: `/_embedded/${string}`): Shape => [{ [rows]: 'id' }, { '/_links': 'object' }]
const sales = {
  '/sales': 'array',
  '/sales/*/accountFiscId': 'id',
  '/nextPageToken': 'string?',
} as const satisfies Shape
const staffPage = (rows: `/data/${string}`): Shape => ({ [rows]: 'id', '/page/totalPages': 'number' })
const item = { '/id': 'id' } as const satisfies Shape
const rich = { '/sku': 'id' } as const satisfies Shape
const staff = '/staff/v1/businessLocations/{location}'

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /f/data/businesses': hal('/_embedded/businessList/*/businessId'),
  'GET /f/finance/{location}/accountingGroups': hal('/_embedded/accountingGroupList/*/accountingGroupId'),
  'GET /f/finance/{location}/paymentMethods': hal('/_embedded/paymentMethodList/*/pmId'),
  'GET /f/finance/{location}/tax-rates': hal('/_embedded/taxRateList/*/code'),
  'GET /f/finance/{location}/financials/{from}/{to}': sales,
  'GET /f/finance/{location}/saleByExternalReference': { '/accountFiscId': 'id' },
  'GET /f/v2/business-location/{location}/sales': sales,
  'GET /f/v2/business-location/{location}/sales-daily': { '/nextStartOfDayAsIso8601': 'string?' },
  'GET /f/v2/business-location/{location}/lightspeed-payments': {
    '/payments': 'array',
    '/payments/*/lightspeedPaymentId': 'id',
    '/nextOffset': 'number?',
  },
  'GET /items/v1/items': { '/*/id': 'id' }, // an empty one is confirmed by `readList`
  'POST /items/v1/items': item,
  'GET /items/v1/items/{id}': item,
  'PUT /items/v1/items/{id}': item,
  'GET /i/locales/{business}': { '/*': 'string' },
  'GET /i/richItem/{business}/{sku}': rich,
  'PUT /i/richItem/{business}/{sku}': rich,
  'POST /i/richItem/{business}/itemsBySkus': hal('/_embedded/richItemDtoList/*/sku'),
  'POST /o/op/1/itemAvailability': { '/data': 'array', '/data/*/sku': 'id' },
  'GET /o/op/1/menu/modifiers': { '/*/productionIntructionGroupId': 'id' },
  'GET /o/op/1/onlineOrderReadiness': { '/status': 'string' },
  'GET /o/op/1/order/table/getCheck': { '/*/ikaccountId': 'id' }, // and so is this one
  'GET /o/op/1/order/accounts/{id}': { '/ikaccountId': 'id' },
  'POST /o/op/1/pay': { '/status': 'string' },
  'POST /o/op/1/order/toGo': { '/status': 'string' },
  [`GET ${staff}/userTypes/{type}`]: staffPage('/data/staff/*/staffId'),
  [`POST ${staff}/userTypes/{type}`]: { '/staffId': 'id' },
  [`GET ${staff}/staff/{id}`]: { '/staffId': 'id' },
  [`GET ${staff}/groups`]: staffPage('/data/staffGroupList/*/id'),
  [`GET ${staff}/shift`]: staffPage('/data/shifts/*/uuid'),
  [`GET ${staff}/webhooks`]: { '/*/uuid': 'id' },
  [`POST ${staff}/webhooks`]: { '/uuid': 'id' },
  [`DELETE ${staff}/webhooks/{id}`]: 'anything',
}
