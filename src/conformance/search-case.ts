import { expect } from 'vitest'
import type { SearchField } from '../contract/connector.ts'
import type { Case } from './case.ts'
import type { AnyRecord } from './subject.ts'

const fieldOf: Readonly<Record<SearchField, string>> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  sku: 'sku',
  number: 'orderNumber',
}

export const searchCase: Case = {
  name: 'search finds a record by its ids and by what the platform searches, in pages that belong to the search',
  async run(subject) {
    const { harness, support, path } = subject
    const { sandbox, connector } = harness
    const patient = { prefer: 'wait=60' }
    const call = async (query: string) => harness.call('GET', `${path}?${query}`, undefined, patient)
    async function found(text: string, pageSize = 1): Promise<AnyRecord[]> {
      const records: AnyRecord[] = []
      for (let cursor: string | undefined, pages = 0; pages < 500; pages++) {
        const search = `search=${encodeURIComponent(text)}`
        const { status, body } = await call(
          cursor === undefined ? `${search}&pageSize=${pageSize}` : `cursor=${cursor}`,
        )
        expect([status, body.data?.length <= pageSize], JSON.stringify(body)).toEqual([200, true])
        records.push(...body.data)
        cursor = body.pagination.cursor
        if (cursor === undefined) return records
      }
      throw new Error('the search does not end')
    }
    const record = support.write ? await subject.fullRecord() : undefined
    const written = record && (await subject.create(record)).body.data
    const target = (written ?? (await call('pageSize=1')).body.data[0]) as AnyRecord
    if (harness.connector.entities[subject.entityType]?.get) {
      expect((await found(target.externalId))[0]).toEqual(target)
      if (record) expect((await found(record.externalId))[0]).toEqual(target)
    }
    // The search may have an index of its own, which lags: records that are there from the start.
    const seeded = (await call('pageSize=50')).body.data as AnyRecord[]
    for (const field of support.search.by) {
      const having = seeded.filter((each) => each[fieldOf[field]])
      expect(having, `no record with ${field}`).not.toEqual([])
      // The name of a variant is made of two names.
      const variant = field === 'name' ? having.find(({ name }) => name.includes(' - ')) : undefined
      for (const one of [having[0]!, ...(variant ? [variant] : [])]) {
        const text = String(one[fieldOf[field]])
        const ids = (await found(text, 2)).map(({ externalId }) => externalId)
        expect(ids, `${field} ${text}`).toContain(one.externalId)
        expect(new Set(ids).size).toBe(ids.length)
      }
    }
    sandbox.clearCalls(connector.id)
    const nothing = await call('search=no-such-record-anywhere')
    expect([nothing.status, nothing.body.data, nothing.body.pagination]).toEqual([200, [], { hasMore: false }])
    const codes = (nothing.body.warnings ?? []).map(({ code }: { code: string }) => code)
    expect(codes.includes('search_by_id_only')).toBe(support.search.by.length === 0)
    expect(sandbox.calls(connector.id).length, 'no list is read to its end').toBeLessThanOrEqual(4)
    const { pagination } = (await call('pageSize=1')).body
    if (pagination.cursor) {
      const foreign = await call(`cursor=${pagination.cursor}&search=x`)
      expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_cursor'])
    }
  },
}
