// Writes customers, remembers acknowledged ones, and checks that each exists once.
import { expect } from 'vitest'
import { until } from '../until.ts'

export interface Written {
  status: number
  code?: string
  detail?: string
  retryAfter?: string | null
  id?: string
}
export interface Ledger {
  write(key: string): Promise<Written>
  /** Keys and their acknowledged ids. */
  acknowledged: Map<string, string>
  /** Retries every write until it is acknowledged, and compares. */
  verify(): Promise<void>
}
export interface LedgerOptions {
  url(): string
  apiKey(): string
  accountId: string
  /** Of the platform. */
  ids(): string[]
}

export function createLedger({ url, apiKey, accountId, ids }: LedgerOptions): Ledger {
  const before = new Set(ids())
  const asked = new Set<string>()
  const acknowledged = new Map<string, string>()
  async function write(key: string): Promise<Written> {
    asked.add(key)
    const response = await fetch(`${url()}/unified/${accountId}/customer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey()}`, 'content-type': 'application/json', prefer: 'wait=30' },
      body: JSON.stringify({ externalId: key, name: `Customer ${key}` }),
    })
    const body = (await response.json()) as { code?: string; detail?: string; reference?: { id: string } }
    const id = body.reference?.id
    if (response.status < 300 && id !== undefined) {
      expect(acknowledged.get(key) ?? id).toBe(id)
      acknowledged.set(key, id)
    }
    const { code, detail } = body
    return { status: response.status, code, detail, retryAfter: response.headers.get('retry-after'), id }
  }
  return {
    write,
    acknowledged,
    async verify() {
      for (const [key, id] of acknowledged) expect(await write(key), key).toMatchObject({ status: 200, id })
      for (const key of asked)
        await until(`the acknowledgment of ${key}`, async () => acknowledged.has(key) || void (await write(key)))
      const added = ids().filter((id) => !before.has(id))
      expect(added.toSorted()).toEqual([...acknowledged.values()].toSorted())
    },
  }
}
export const unavailable = { status: 503, code: 'unavailable', retryAfter: '5' }
