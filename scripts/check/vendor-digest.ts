// Digests of vendor specifications: the operations and schemas that the vendor tests use, without prose.
// `node scripts/check/vendor-digest.ts <folder> [platform …]` writes src/platforms/<platform>/fixtures/<name>.digest.json.
// A source without a license must not be redistributed: its digest goes to .cache/vendor-digests, which git ignores.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { graphqlSubset } from './vendor-digest-graphql.ts'
import { cloverNames, mapped, openApi, pick } from './vendor-digest-openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: a vendor's file has any shape
type Json = any
interface Digest {
  platform: string
  name: string
  file: string
  source: string
  version: string
  license: string
  extract(file: Buffer): object
}

const root = join(import.meta.dirname, '../..')

/* QuickBooks: the types of its XML schema */

const quickbooksTypes =
  (...roots: string[]) =>
  (file: Buffer): object => {
    const { types } = JSON.parse(file.toString('utf8')) as Json
    const names = new Set(roots)
    const field = ({ name, type, doc }: Json): Json => {
      if (types[type]) names.add(type)
      return { name, type, ...(/^Product: QBW/.test(doc ?? '') && !doc.includes('QBO') && { desktopOnly: true }) }
    }
    const copied: Record<string, Json> = {}
    for (const name of names) {
      const type = types[name]
      if (type.extends && types[type.extends]) names.add(type.extends)
      copied[name] = {
        ...pick(type, ['extends', 'enum']),
        ...mapped(pick(type, ['fields', 'attributes']), (fields: Json[]) => fields.map(field)),
      }
    }
    return { types: copied }
  }

/* The digests */

const xeroRepository = 'github.com/XeroAPI/Xero-OpenAPI @ e952d0bda3628facbf7afc5990ad6a0e7e77bd1e'
const unlicensed = 'none stated'
const bigcommerce = (name: string, file: string, paths: Record<string, string[]>): Digest => {
  const source = `github.com/bigcommerce/docs @ 24f580ca6d2981728b7ed70a2049e00fc602c335, reference/**/${file.replace('bigcommerce-', '')}`
  return {
    platform: 'bigcommerce',
    name,
    file,
    source,
    version: '2026-04-01',
    license: unlicensed,
    extract: openApi(paths),
  }
}
const toast = (name: string, paths: Record<string, string[]>, schemas?: string[]): Digest => {
  const source = `Toast's published definition, as stored in github.com/api-evangelist/toast @ c56199cd47181f1e296f543add46f8d305d7ddf8, openapi/toast-${name}-openapi.yaml`
  return {
    platform: 'toast',
    name,
    file: `toast-${name}.yaml`,
    source,
    version: '2026',
    license: unlicensed,
    extract: openApi(paths, schemas, ['basePath', 'servers', 'operationId']),
  }
}
const zohoBooks = (name: string, paths: Record<string, string[]>): Digest => {
  const source = `Zoho's OpenAPI document, as stored in github.com/fordez/zoho-books-mcp-server-openapi @ d8c26c489b06c49535e612927fb77548a4128e1e, mcp_server/openapi-all/${name}.yml`
  return {
    platform: 'zoho-books',
    name,
    file: `zoho-books-${name}.yaml`,
    source,
    version: '1.0.0',
    license: unlicensed,
    extract: openApi(paths, [], ['security']),
  }
}
const digests: Digest[] = [
  bigcommerce('products', 'bigcommerce-products_catalog.v3.yml', {
    '/catalog/products': ['get', 'post'],
    '/catalog/products/{product_id}': ['get', 'put'],
    '/catalog/products/{product_id}/images': ['get', 'post'],
  }),
  bigcommerce('categories', 'bigcommerce-categories_catalog.v3.yml', { '/catalog/categories': ['get', 'post'] }),
  bigcommerce('customers', 'bigcommerce-customers.v3.yml', {
    '/customers': ['get', 'post', 'put'],
    '/customers/addresses': ['post', 'put', 'delete'],
  }),
  bigcommerce('orders', 'bigcommerce-orders.v2.oas2.yml', {
    '/orders': ['get', 'post'],
    '/orders/{order_id}': ['get', 'put'],
    '/orders/{order_id}/products': ['get'],
    '/orders/{order_id}/taxes': ['get'],
  }),
  bigcommerce('refunds', 'bigcommerce-orders.v3.yml', { '/orders/payment_actions/refunds': ['get'] }),
  bigcommerce('taxes', 'bigcommerce-tax_rates_zones.v3.yml', { '/tax/rates': ['get'], '/tax/zones': ['get'] }),
  bigcommerce('tax-classes', 'bigcommerce-tax_classes.v2.yml', { '/tax_classes': ['get'] }),
  bigcommerce('payment-methods', 'bigcommerce-payment_methods.v2.yml', { '/payments/methods': ['get'] }),
  bigcommerce('webhooks', 'bigcommerce-webhooks.v3.yml', {
    '/hooks': ['get', 'post'],
    '/hooks/{webhook_id}': ['put', 'delete'],
  }),
  bigcommerce('store', 'bigcommerce-store_information.v2.yml', { '/store': ['get'] }),
  {
    platform: 'clover',
    name: 'names',
    file: 'clover-platform-thirdparty.yaml',
    source:
      'github.com/api-evangelist/clover @ e83602e30cda1e6dc92bc4e053a525f966208454, openapi/_original/clover-platform-rest-api-openapi.yml',
    version: 'v3',
    license: unlicensed,
    extract: cloverNames,
  },
  toast('authentication', { '/authentication/login': ['post'] }, ['ErrorMessage']),
  toast('orders', {
    '/orders': ['post'],
    '/orders/{guid}': ['get'],
    '/ordersBulk': ['get'],
    '/payments/{guid}': ['get'],
    '/prices': ['post'],
  }),
  toast('labor', {
    ...{ '/employees': ['get', 'post'], '/employees/{employeeId}': ['get', 'patch', 'delete'] },
    ...{ '/employees/{employeeId}/jobs': ['put'], '/employees/{employeeId}/unarchive': ['put'] },
    ...{ '/shifts': ['get'], '/shifts/{shiftId}': ['get'] },
    ...{ '/jobs': ['get'], '/jobs/{jobId}': ['get'], '/timeEntries': ['get'], '/timeEntries/{timeEntryId}': ['get'] },
  }),
  toast('menus', { '/menus': ['get'], '/metadata': ['get'] }),
  toast('stock', { '/v1/inventory': ['get'], '/v1/inventory/search': ['post'] }, ['ErrorMessage']),
  toast('restaurants', { '/restaurants/{restaurantGUID}': ['get'] }),
  zohoBooks('contacts', {
    '/contacts': ['get', 'post'],
    '/contacts/{contact_id}': ['get', 'put', 'delete'],
    '/contacts/{contact_id}/active': ['post'],
    '/contacts/{contact_id}/inactive': ['post'],
  }),
  zohoBooks('currency', { '/settings/currencies': ['get'] }),
  zohoBooks('organizations', { '/organizations': ['get'] }),
  {
    platform: 'lightspeed-x',
    name: 'api-2.0',
    file: 'lightspeed-x-series-api-2.0.json',
    source:
      "Lightspeed's OpenAPI document of X-Series API 2.0, as stored in github.com/dansleboby/lightspeed-xseries-sdk @ bb19b987236fcfcfee0e27c84249c0a8d342d06f",
    version: '2.0',
    license: 'Apache-2.0 (info.license of the document)',
    extract: openApi({
      '/brands': ['get', 'post'],
      '/customers': ['get', 'post'],
      '/customers/{customer_id}': ['get', 'put'],
      '/outlets': ['get'],
      '/outlets/{outlet_id}': ['get'],
      '/payment_types': ['get'],
      '/product_categories': ['get'],
      '/product_categories/bulk': ['post'],
      '/products': ['get', 'post'],
      '/products/{product_id}': ['get'],
      '/registers': ['get'],
      '/retailer': ['get'],
      '/search': ['get'],
      '/tags': ['get', 'post'],
      '/taxes': ['get'],
      '/user': ['get'],
    }),
  },
  {
    platform: 'lightspeed-x',
    name: 'inventory-2026-07',
    file: 'lightspeed-x-2026-07.inventory.condensed.yaml',
    source:
      "Lightspeed's OpenAPI document of the Inventory API 2026-07, condensed, from github.com/api-evangelist/lightspeed @ 3cc966a3a12b4d7aca074ef617a451ae5d8d28dd",
    version: '2026-07',
    license: 'Apache-2.0 (info.license of the document)',
    extract: openApi({ '/inventory': ['post'], '/inventory/{product_id}': ['get'] }),
  },
  {
    platform: 'quickbooks-online',
    name: 'types',
    file: 'quickbooks-online-types.subset.json',
    source:
      'XML schema of github.com/intuit/QuickBooks-V3-Java-SDK @ 79b5a3c125b2c1c4828f89142039789b61b47ea4, ipp-v3-java-data/src/main/xsd, field by field',
    version: '2024-10-21',
    license: 'Apache-2.0',
    extract: quickbooksTypes('Customer', 'QueryResponse', 'Fault', 'FaultTypeEnum'),
  },
  {
    platform: 'shopify',
    name: 'admin-2026-07',
    file: 'shopify-admin-2026-07.graphql.gz',
    source: 'Introspection of the GraphQL Admin API in npm @shopify/dev-mcp 1.16.0, dist/data/admin_2026-07.json.gz',
    version: '2026-07',
    license: 'ISC, (c) 2025-present Shopify Inc.',
    extract: graphqlSubset,
  },
  {
    platform: 'square',
    name: 'api',
    file: 'square.json',
    source: 'github.com/square/connect-api-specification @ 5733f6624e9a5b930a8426f0e02a6bf7e35c6c0f, api.json',
    version: '2025-08-20',
    license: 'Apache-2.0',
    extract: openApi(
      {
        '/oauth2/token': ['post'],
        '/v2/catalog/batch-retrieve': ['post'],
        '/v2/catalog/object': ['post'],
        '/v2/catalog/object/{object_id}': ['get', 'delete'],
        '/v2/catalog/search': ['post'],
        '/v2/catalog/search-catalog-items': ['post'],
        '/v2/customers': ['get', 'post'],
        '/v2/customers/search': ['post'],
        '/v2/customers/{customer_id}': ['get', 'put'],
        '/v2/inventory/changes/batch-create': ['post'],
        '/v2/inventory/counts/batch-retrieve': ['post'],
        '/v2/labor/scheduled-shifts/search': ['post'],
        '/v2/labor/scheduled-shifts/{id}': ['get'],
        '/v2/labor/timecards/search': ['post'],
        '/v2/labor/timecards/{id}': ['get'],
        '/v2/locations': ['get'],
        '/v2/locations/{location_id}': ['get'],
        ...{ '/v2/orders': ['post'], '/v2/orders/batch-retrieve': ['post'], '/v2/orders/search': ['post'] },
        '/v2/orders/{order_id}': ['get', 'put'],
        '/v2/team-members': ['post'],
        '/v2/team-members/search': ['post'],
        '/v2/team-members/{team_member_id}': ['get', 'put'],
      },
      ['ListCatalogResponse', 'ListJobsResponse'],
    ),
  },
  {
    ...{ platform: 'square', name: 'money', file: 'square-money-2025-10-16.json', version: '2025-10-16' },
    source:
      'github.com/square/square-nodejs-sdk @ 764ac2fbc585bc197dc22fce8e58db7fab25dc52, .mock/openapi/openapi.json',
    license: 'MIT, (c) Square Inc.',
    extract: openApi({
      ...{ '/v2/payments': ['get', 'post'], '/v2/payments/{payment_id}': ['get'] },
      ...{ '/v2/refunds': ['get'], '/v2/refunds/{refund_id}': ['get'] },
    }),
  },
  {
    platform: 'xero',
    name: 'accounting',
    file: 'xero-accounting.yaml',
    source: `${xeroRepository}, xero_accounting.yaml`,
    version: '16.1.0',
    license: 'MIT, (c) 2017 Xero Developer API',
    extract: openApi({ '/Contacts': ['get', 'put'], '/Contacts/{ContactID}': ['get', 'post'] }, [
      'Contact',
      'Pagination',
      'Error',
    ]),
  },
  {
    platform: 'xero',
    name: 'identity',
    file: 'xero-identity.yaml',
    source: `${xeroRepository}, xero-identity.yaml`,
    version: '16.1.0',
    license: 'MIT, (c) 2017 Xero Developer API',
    extract: openApi({ '/Connections': ['get'] }),
  },
]

/** One line for each path, schema or line of a schema, so that a change affects one line. */
function lines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[\n${value.map((inner) => lines(inner, depth - 1)).join(',\n')}\n]`
  return `{\n${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${lines(inner, depth - 1)}`)
    .join(',\n')}\n}`
}

const [folder, ...platforms] = process.argv.slice(2)
const known = [...new Set(digests.map(({ platform }) => platform))]
const unknown = platforms.filter((platform) => !known.includes(platform))
if (!folder || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown platform: ${unknown.join(', ')}`)
  console.error(`Usage: node scripts/check/vendor-digest.ts <folder of the vendor files> [${known.join(' | ')}]`)
  process.exit(2)
}
const selected = digests.filter(({ platform }) => platforms.length === 0 || platforms.includes(platform))
const missing = selected.filter(({ file }) => !existsSync(join(folder, file)))
if (missing.length > 0) {
  console.error(`${folder} has no ${missing.map(({ file }) => file).join(', ')}. Get each file from its source:`)
  for (const { file, source } of missing) console.error(`  ${file}: ${source}`)
  process.exit(1)
}
for (const { platform, name, file, source, version, license, extract } of selected) {
  const bytes = readFileSync(join(folder, file))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const changes = 'Structure of what the tests use; everything else, and all prose, is left out.'
  const target =
    license === unlicensed ? join('.cache/vendor-digests', platform) : join('src/platforms', platform, 'fixtures')
  mkdirSync(join(root, target), { recursive: true })
  writeFileSync(
    join(root, target, `${name}.digest.json`),
    `${lines({ source, version, license, sha256, changes, ...extract(bytes) }, 3)}\n`,
  )
  console.log(join(target, `${name}.digest.json`))
}
