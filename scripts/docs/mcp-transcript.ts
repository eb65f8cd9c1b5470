// node scripts/docs/mcp-transcript.ts: the session in docs/mcp.md, made by the official client against a simulated Square.
// Long parts of responses are shortened to `…`.
import { createHarness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { callTool, connectHttp } from '../../test/mcp/client.ts'

const harness = await createHarness({ connectors, simulators, platform: 'square', size: 'full', ownDisk: true })
const { key } = (await harness.manage('POST', '/api-keys', { name: 'assistant' })).body
const client = await connectHttp(harness.url, key, '2026-07-28')

const shortened = new Set([
  'schema',
  'example',
  'values',
  'longest',
  'requiresWhen',
  'notStored',
  'requestId',
  'nextCursor',
])
const shorten = (name: string, value: unknown) => (shortened.has(name) ? '…' : value)
/** Objects and arrays without inner ones on one line, if they fit. */
const compact = (value: unknown) =>
  [1, 2].reduce(
    (text) =>
      text.replaceAll(/[[{]\n[^[\]{}]*[\]}]/g, (part) => {
        const line = part.replaceAll(/\s*\n\s*/g, ' ')
        return line.length > 100 ? part : line
      }),
    JSON.stringify(value, shorten, 2),
  )
async function call(said: string, name: string, input: object) {
  const result = await callTool(client, name, input)
  const outcome = result.error ? `tool error\n${compact(result.error)}` : `result\n${compact(result)}`
  const text = `${said}\n\n\`\`\`jsonc\n// ${name}\n${compact(input)}\n// ${outcome.replaceAll('"…"', '…')}\n\`\`\`\n`
  console.log(text.replaceAll('"square-restaurant"', '"sandbox-square-restaurant"')) // its id beside `npm start`
  return result
}

const target = { accountId: 'square-restaurant', entityType: 'order' }
await call('Which accounts are there?', 'list_accounts', { search: 'square-restaurant' })
await call('What does an order need here?', 'describe_entity', target)
const { records } = await call('Which product is meant?', 'find_record', {
  ...target,
  entityType: 'product',
  search: 'double espresso',
})
const [product] = records
const locations = (
  await harness.call('POST', '/unified/square-restaurant/native', { method: 'GET', path: '/v2/locations' })
).body.body.locations
const record = {
  locationExternalId: locations[0].id,
  currencyCode: 'USD',
  lineItems: [{ productExternalId: product.externalId, quantity: 2 }],
}
await call('What would be sent? A person can look at it first.', 'preview_write', {
  ...target,
  externalId: 'ticket-4711',
  record,
  references: 'platform',
})
await call('Write it.', 'create_record', { ...target, externalId: 'ticket-4711', record, references: 'platform' })
await call(
  'The connection broke before this answer arrived, and the assistant forgot its id. It tries again with another one.',
  'create_record',
  { ...target, externalId: 'ticket-4711-retry', record, references: 'platform' },
)
await client.close()
await harness.close()
process.exit()
