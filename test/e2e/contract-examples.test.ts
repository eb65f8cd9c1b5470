// The exchanges in docs/contract.md and docs/native.md, sent to the service: a request, an empty line, and what the response has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { scopes } from '../../src/contract/scopes.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { inOrder } from '../in-order.ts'

// The records are those of `npm start`; the account has another id here.
const page = ['contract.md', 'native.md']
  .map((name) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'))
  .join('\n')
  .replaceAll('sandbox-square-restaurant', 'square-restaurant')
const exchanges = [...page.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, text]) => {
  const [request, response] = (text as string).split(/\n\n/) as [string, string]
  return { line: request.split('\n', 1)[0] as string, request: partsOf(request), response: partsOf(response) }
})

/** First line, headers, and the JSON below them. */
function partsOf(text: string) {
  const [first, ...lines] = text.trim().split('\n') as [string, ...string[]]
  const body = lines.findIndex((line) => line.startsWith('{'))
  const headers = (body < 0 ? lines : lines.slice(0, body)).map((line) => line.split(/: (.*)/).slice(0, 2))
  return {
    first,
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: body < 0 ? undefined : lines.slice(body).join('\n'),
  }
}

let harness: Harness
let key: string
beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square', size: 'full' })
  key = (await harness.manage('POST', '/api-keys', { name: 'examples', scopes })).body.key
})
afterAll(() => harness.close())

it('the page has examples', () => {
  expect(exchanges.length).toBeGreaterThanOrEqual(12)
})

describe('the exchanges', inOrder, () => {
  it.each(exchanges)('$line', async ({ request, response }) => {
    const [method, path] = request.first.split(' ') as [string, string]
    const reply = await fetch(harness.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(request.text === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.text,
    })
    const text = await reply.text()
    expect(reply.status, text).toBe(Number(response.first.split(' ')[0]))
    for (const [name, value] of Object.entries(response.headers))
      expect([name, reply.headers.get(name)]).toEqual([name, value])
    if (response.text !== undefined) expect(JSON.parse(text)).toMatchObject(JSON.parse(response.text))
  })
})
