// What a newcomer sees: lines that can be pasted as they are.
import { formBPrefix } from './api/openapi.ts'
import type { SandboxFile } from './sandbox-workspace.ts'

export function welcome({ baseUrl, apiKey, accessId, accessSecret, accounts, dashboard }: SandboxFile, sandboxUrl: string, file: string): string {
  const account = accounts.find(({ accountId }) => accountId === 'sandbox-square-restaurant') ?? accounts[0]
  if (!account) return ''
  const unified = `${baseUrl}/unified/${account.accountId}`
  const post = (entity: string, body: string) => `curl -s -X POST '${unified}/${entity}' -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' -d '${body}'`
  return `
Sandbox: ${accounts.length} accounts on simulated platforms (${sandboxUrl}); everything below also stands in ${file}
  ${accounts.map(({ accountId }) => accountId).join('  ')}

Read, form A (API key). Follow pagination.cursor with &cursor=… until it is gone:
  curl -s '${unified}/product?pageSize=2' -H 'authorization: Bearer ${apiKey}'

Read, form B (access token and mapping key):
  TOKEN=$(curl -s '${baseUrl}${formBPrefix}/oauth/server/access-token' -d grant_type=client_credentials -d client_id=${accessId} -d client_secret=${accessSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -s "${baseUrl}${formBPrefix}/unified/${account.accountId}/product?pageSize=2&mappingKey=${account.readMappingKey}" -H "authorization: Bearer $TOKEN"

Write: a customer, a product, and an order that names both by your own ids. Send any of them twice: it is written once.
  ${post('customer', '{"externalId":"C-1","name":"Ada Lovelace"}')}
  ${post('product', '{"externalId":"P-1","name":"Flat white","price":4.5,"currencyCode":"USD"}')}
  ${post('order', '{"externalId":"O-1","customerExternalId":"C-1","locationExternalId":"MAIN","lineItems":[{"productExternalId":"P-1","quantity":2}]}')}

API reference ${baseUrl}/reference   support matrix ${baseUrl}/platforms   management API: user ${dashboard.user}, password in ${file}
`
}
