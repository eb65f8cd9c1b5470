// What connectors call and no machine-readable specification of the vendor has: each with the reason and the page that
// documents it. The tests fail when an entry is missing and when one is no longer needed.

interface Reason {
  reason: string
  docs: string
}
export interface Exceptions {
  /** There is no file with operations. */
  specification?: Reason
  /** The file describes another version of the same operations: what the connector's paths begin with, and the file's. */
  version?: Reason & { called: string; described: string }
  calls?: readonly (Reason & { operations: readonly string[] })[]
  origins?: Reason & { urls: readonly string[] }
  tokens?: Reason & { paths: readonly string[] }
}
const cloverReference = 'https://docs.clover.com/dev/reference'
const zohoOauth = 'https://www.zoho.com/accounts/protocol/oauth/multi-dc.html'
const zohoDomain = 'the data center of a business is in the token response; each is in data-centers.ts'
const perShop = 'each shop has a host of its own'
const merchant = '/v3/merchants/{mId}'
const contacts = ['email_addresses', 'phone_numbers', 'addresses'].flatMap((kind) => [
  `POST ${merchant}/customers/{id}/${kind}`,
  `POST ${merchant}/customers/{id}/${kind}/{contactId}`,
  `DELETE ${merchant}/customers/{id}/${kind}/{contactId}`,
])

export const exceptions: Readonly<Record<string, Exceptions>> = {
  square: {
    origins: {
      reason: 'the file has only the production host',
      docs: 'https://developer.squareup.com/docs/oauth-api/overview',
      urls: ['https://connect.squareupsandbox.com'],
    },
  },
  clover: {
    calls: [
      {
        reason: 'only on pages of the reference, not in the file',
        docs: cloverReference,
        operations: [
          `GET ${merchant}`,
          `GET ${merchant}/properties`,
          ...['items', 'categories', 'employees'].map((name) => `POST ${merchant}/${name}/{id}`),
          ...['categories', 'employees'].map((name) => `DELETE ${merchant}/${name}/{id}`),
          `POST ${merchant}/category_items`,
          `POST ${merchant}/item_stocks/{id}`,
          `POST ${merchant}/customers/{id}/metadata`,
          `POST ${merchant}/orders/{id}/bulk_line_items`,
          `DELETE ${merchant}/orders/{id}/line_items/{lineId}`,
          `POST ${merchant}/orders/{id}/line_items/{lineId}/discounts`,
          `POST ${merchant}/orders/{id}/line_items/{lineId}/modifications`,
          `GET ${merchant}/modifiers`,
          ...['refunds', 'refunds/{id}', 'tax_rates', 'tax_rates/{id}', 'tenders'].map(
            (name) => `GET ${merchant}/${name}`,
          ),
          ...contacts,
        ],
      },
    ],
    origins: {
      reason: 'the file has no login hosts',
      docs: 'https://docs.clover.com/dev/docs/refresh-access-tokens',
      urls: ['sandbox.dev', 'www', 'www.eu', 'www.la'].map((name) => `https://${name}.clover.com`),
    },
    tokens: {
      reason: 'the file has no OAuth calls',
      docs: 'https://docs.clover.com/dev/docs/refresh-access-tokens',
      paths: ['/oauth/v2/authorize', '/oauth/v2/refresh', '/oauth/v2/token'],
    },
  },
  toast: {
    calls: [
      {
        reason: 'in the configuration API, whose file is not used',
        docs: 'https://doc.toasttab.com/openapi/configuration/overview/',
        operations: [
          'GET /config/v2/alternatePaymentTypes',
          'GET /config/v2/diningOptions',
          'GET /config/v2/tables',
          'GET /config/v2/taxRates',
          'GET /config/v2/taxRates/{}',
        ],
      },
    ],
    origins: {
      reason: 'the files have a placeholder; Toast assigns the hosts',
      docs: 'https://doc.toasttab.com/doc/devguide/authentication.html',
      urls: ['https://ws-api.toasttab.com', 'https://ws-sandbox-api.eng.toasttab.com'],
    },
  },
  'lightspeed-k': {
    specification: {
      reason: 'the reference is published as pages only',
      docs: 'https://api-docs.lsk.lightspeed.app/',
    },
    origins: {
      reason: 'no file; the login host is a setting',
      docs: 'https://api-portal.lsk.lightspeed.app/quick-start/authentication/authorization',
      urls: ['https://api.lsk.lightspeed.app', 'https://api.trial.lsk.lightspeed.app', 'https://{}'],
    },
    tokens: {
      reason: 'no file; the path is a setting',
      docs: 'https://api-portal.lsk.lightspeed.app/quick-start/authentication/authorization',
      paths: ['{}'],
    },
  },
  shopify: {
    specification: {
      reason: 'one GraphQL endpoint; shopify.vendor.test.ts validates every operation against the schema',
      docs: 'https://shopify.dev/docs/api/admin-graphql/2026-07',
    },
    origins: { reason: perShop, docs: 'https://shopify.dev/docs/api/admin-graphql/2026-07', urls: ['https://{}'] },
    tokens: {
      reason: 'not part of the GraphQL schema',
      docs: 'https://shopify.dev/docs/apps/build/authentication-authorization',
      paths: ['/admin/oauth/access_token', '/admin/oauth/authorize'],
    },
  },
  woocommerce: {
    specification: {
      reason: 'no OpenAPI file; the documentation is text',
      docs: 'https://woocommerce.github.io/woocommerce-rest-api-docs/',
    },
    origins: {
      reason: perShop,
      docs: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#introduction',
      urls: ['https://{}'],
    },
  },
  bigcommerce: {
    calls: [
      {
        reason: 'in files of their own, which are not used',
        docs: 'https://developer.bigcommerce.com/docs/rest-catalog',
        operations: [
          'PUT /stores/{store}/v3/catalog/products/{id}/variants/{variant}',
          'GET /stores/{store}/v3/catalog/brands',
        ],
      },
    ],
    origins: {
      reason: 'the files have no login host',
      docs: 'https://developer.bigcommerce.com/docs/integrations/apps/guide/auth',
      urls: ['https://login.bigcommerce.com'],
    },
    tokens: {
      reason: 'the files have no OAuth calls',
      docs: 'https://developer.bigcommerce.com/docs/integrations/apps/guide/auth',
      paths: ['/oauth2/authorize', '/oauth2/token'],
    },
  },
  'lightspeed-x': {
    version: {
      reason: 'the published file is of 2.0; later versions are described on pages',
      docs: 'https://x-series-api.lightspeedhq.com/reference',
      called: '/api/2026-07/',
      described: '/api/2.0/',
    },
    calls: [
      {
        reason: 'sales have another format since 2026-07, and products are updated since 2.1',
        docs: 'https://x-series-api.lightspeedhq.com/reference',
        operations: [
          'PUT /api/2026-07/products/{id}',
          'GET /api/2026-07/sales',
          'POST /api/2026-07/sales',
          'GET /api/2026-07/sales/{id}',
          'PUT /api/2026-07/sales/{id}',
        ],
      },
      {
        reason: 'the file of 2.0 has the list of taxes, and no single one',
        docs: 'https://x-series-api.lightspeedhq.com/reference/gettax',
        operations: ['GET /api/2026-07/taxes/{id}'],
      },
      {
        reason: 'the file of 2.0 has no webhooks',
        docs: 'https://x-series-api.lightspeedhq.com/reference/get-webhooks',
        operations: [
          'GET /api/2026-07/webhooks',
          'POST /api/2026-07/webhooks',
          'PUT /api/2026-07/webhooks/{id}',
          'DELETE /api/2026-07/webhooks/{id}',
        ],
      },
    ],
    origins: {
      reason: 'the file has no login host',
      docs: 'https://x-series-api.lightspeedhq.com/docs/authorization',
      urls: ['https://secure.retail.lightspeed.app'],
    },
    tokens: {
      reason: 'the file has no OAuth calls',
      docs: 'https://x-series-api.lightspeedhq.com/docs/authorization',
      paths: ['/api/1.0/token', '/connect'],
    },
  },
  loyverse: {
    specification: {
      reason: 'its OpenAPI file is not used; fixtures/reference-fields.json has the names of fields that it has',
      docs: 'https://developer.loyverse.com/docs/API-Reference__v1.0.yaml',
    },
    origins: { reason: 'no file', docs: 'https://developer.loyverse.com/docs/', urls: ['https://api.loyverse.com'] },
    tokens: {
      reason: 'no file',
      docs: 'https://developer.loyverse.com/docs/#section/Authorization/OAuth-2.0',
      paths: ['/oauth/authorize', '/oauth/token'],
    },
  },
  'quickbooks-online': {
    specification: {
      reason: 'the XML schema has types and no operations; quickbooks-online.vendor.test.ts compares the types',
      docs: 'https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer',
    },
    origins: {
      reason: 'the XML schema has no hosts',
      docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
      urls: [
        ...['https://appcenter.intuit.com', 'https://oauth.platform.intuit.com'],
        ...['https://quickbooks.api.intuit.com', 'https://sandbox-quickbooks.api.intuit.com'],
      ],
    },
    tokens: {
      reason: 'the XML schema has no OAuth calls',
      docs: 'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
      paths: ['/connect/oauth2', '/oauth2/v1/tokens/bearer'],
    },
  },
  'zoho-books': {
    origins: { reason: zohoDomain, docs: zohoOauth, urls: ['{}'] },
    tokens: { reason: 'the files have only the call for consent', docs: zohoOauth, paths: ['/oauth/v2/token'] },
  },
  'zoho-inventory': {
    specification: {
      reason: 'its files are not used; the same calls of Zoho Books are compared with the files of Books',
      docs: 'https://www.zoho.com/inventory/api/v1/contacts/',
    },
    origins: { reason: zohoDomain, docs: zohoOauth, urls: ['https://accounts.zoho.com', '{}'] },
    tokens: { reason: 'no file', docs: zohoOauth, paths: ['/oauth/v2/auth', '/oauth/v2/token'] },
  },
  freshbooks: {
    specification: {
      reason: 'no file; the SDK of the vendor calls the simulator in sdk.test.ts',
      docs: 'https://www.freshbooks.com/api/clients',
    },
    origins: {
      reason: 'no file',
      docs: 'https://www.freshbooks.com/api/get-authenticated-on-the-freshbooks-api',
      urls: ['https://api.freshbooks.com', 'https://auth.freshbooks.com'],
    },
    tokens: {
      reason: 'no file',
      docs: 'https://www.freshbooks.com/api/get-authenticated-on-the-freshbooks-api',
      paths: ['/auth/oauth/token', '/oauth/authorize'],
    },
  },
}
