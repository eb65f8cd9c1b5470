// Native calls that would write with GET, or reach the authorization under another spelling.
import { describe, expect, it } from 'vitest'
import { connectors } from '../platforms/registry.ts'
import { nativeRequest } from './native-request.ts'

const view = { id: 'a', vertical: 'retail_pos', settings: {} } as const
function faultOf(platform: string, call: object): string | undefined {
  try {
    nativeRequest({ method: 'GET', path: '/', ...call }, connectors[platform]!, view)
    return undefined
  } catch (error) {
    return (error as { errors: { pointer: string }[] }).errors[0]?.pointer
  }
}

describe('a native GET', () => {
  it.each([
    '_method',
    '_METHOD',
    '_method[]',
    ' _method',
    '.method',
    'X-HTTP-Method-Override',
    'rest_route',
    'Rest.Route',
    '_envelope',
  ])('with the parameter %j is refused where it would be another call', (name) =>
    expect(faultOf('woocommerce', { path: '/wp-json/wc/v3/products/1', query: { [name]: 'DELETE' } })).toBe(
      `/query/${name}`,
    ),
  )
  it.each(['_fields', 'search', 'method', 'per_page'])('with the parameter %j is sent', (name) =>
    expect(faultOf('woocommerce', { path: '/wp-json/wc/v3/products', query: { [name]: 'x' } })).toBeUndefined(),
  )
  it('may have a parameter that means something only at another platform', () =>
    expect(faultOf('square', { path: '/v2/locations', query: { rest_route: 'x' } })).toBeUndefined())
})

describe('an address of the authorization', () => {
  it.each([
    ['square', '/oauth2/revoke'],
    ['square', '/OAuth2/Revoke/'],
    ['square', '/%6fauth2/revoke'],
    ['square', '/oauth2;a=b/revoke'],
    ['square', '/oauth2/revoke;x'],
    ['square', '/%6F%61uth2/rev%6fke'],
    ['square', '/mobile;v=1/authorization-code'],
    ['square', '/mobile/authorization%2Dcode'],
    ['shopify', '/admin/oauth/access_token'],
    ['shopify', '/admin/api_permissions/current.json'],
    ['shopify', '/admin/api/unstable/api_permissions/current.json'],
    ['shopify', '/admin/api/2026-07/API_permissions/current.json'],
    ['xero', '/connections'],
    ['xero', '/%63onnections/1'],
    ['toast', '/authentication/v1/authentication/login;jsessionid=1'],
  ])('of %s is not reached as %s', (platform, path) => expect(faultOf(platform, { path })).toBe('/path'))
  it.each([
    ['square', '/v2/oauthorizations'],
    ['shopify', '/admin/api/2026-07/graphql.json'],
    ['xero', '/api.xro/2.0/Contacts'],
  ])('of %s is not mistaken for %s', (platform, path) => expect(faultOf(platform, { path })).toBeUndefined())
})

describe('an operation on the authorization', () => {
  const call = (body: unknown) => ({ method: 'POST', path: '/admin/api/2026-07/graphql.json', externalId: 'N-1', body })
  it.each([
    { query: 'mutation { appUninstall { userErrors { message } } }' },
    { query: 'mutation { a: appRevokeAccessScopes(scopes: ["x"]) { revoked { handle } } }' },
    { query: 'mutation { bulkOperationRunMutation(mutation: "mutation { appUninstall }") { job { id } } }' },
    'mutation{appUninstall{userErrors{message}}}',
  ])('is refused: %j', (body) => expect(faultOf('shopify', call(body))).toBe('/body'))
  it('is not mistaken for another name', () =>
    expect(faultOf('shopify', call({ query: '{ appUninstalledAt }' }))).toBeUndefined())
})
