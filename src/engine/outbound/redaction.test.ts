import { expect, it } from 'vitest'
import type { Connector } from '../../contract/connector.ts'
import { connectors } from '../../platforms/registry.ts'
import type { Account } from '../../store/store.ts'
import { wireOf } from './redaction.ts'

const connector = connectors.square as Connector
const accountWith = (accessToken: string): Account => ({
  id: 'shop',
  workspaceId: 'w',
  platform: 'square',
  vertical: 'restaurant',
  name: 'Shop',
  state: 'active',
  settings: {},
  auth: 'token',
  credentials: { accessToken },
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})
const shown = (accessToken: string, headers: Record<string, string> = {}) =>
  JSON.stringify(
    wireOf({
      account: accountWith(accessToken),
      connector,
      request: { method: 'POST', path: `/v2/${accessToken}`, query: { at: accessToken } },
      kind: 'write',
      headers: { authorization: `Bearer ${accessToken}`, accept: accessToken },
      body: JSON.stringify({ note: accessToken }),
      answer: {
        status: 400,
        headers: { server: accessToken, ...headers },
        bytes: Buffer.from(`{"error":"${accessToken}"}`),
      },
    })(),
  )

it('strikes out the secrets of an account wherever they occur', () => {
  expect(shown('first-secret-of-the-shop')).not.toContain('first-secret')
})
it('strikes out those of another account that came back under the same id', () => {
  shown('first-secret-of-the-shop')
  expect(shown('other-secret-of-the-shop')).not.toContain('other-secret')
})
it('leaves out headers of the connection, and strikes out those that may hold a secret', () => {
  const headers = { connection: 'keep-alive', 'keep-alive': 'timeout=5', 'transfer-encoding': 'chunked' }
  const { responseHeaders } = JSON.parse(shown('secret-of-the-shop', { ...headers, 'set-cookie': 'a=b' }))
  expect(responseHeaders).toEqual({ server: '•••', 'set-cookie': '•••' })
})
