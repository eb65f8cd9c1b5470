import { describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds } from '../../../../test/store-on.ts'

describe.each(storeKinds)('positions on %s', (kind) => {
  it('and deliveries go with their account, and what was read before that is not stored', async () => {
    const database = await createTestDatabase(kind)
    try {
      const { migrate, webhooks, accounts, ...store } = await database.open()
      await migrate()
      await addAccount({ ...store, migrate, webhooks, accounts }, 'a')
      await webhooks.create({
        workspaceId: 'w',
        id: 'endpoint',
        url: 'https://example.com',
        secrets: [],
        events: ['*'],
        data: 'full',
        format: 'standard',
        coalesce: false,
        concurrency: 8,
      })
      const endpoint = await webhooks.take('endpoint', 'me', 30_000)
      if (!endpoint) throw new Error('not taken')
      const logs = ['a', ''].map((accountId) => ({
        position: { accountId, sequence: 5, tag: '0011', epochs: {}, generation: 2 },
        deliveries: [{ id: `of ${accountId}`, sequence: 5, subject: 's', type: 'product.updated', body: '{}' }],
        superseded: [],
      }))
      await webhooks.enqueue(endpoint, logs)
      expect(await webhooks.position('endpoint', 'a')).toMatchObject({ sequence: 5, generation: 2 })
      expect(await accounts.delete('a')).toBe(true)
      expect(await webhooks.position('endpoint', 'a')).toMatchObject({ sequence: 0, generation: 0 })
      expect(await webhooks.delivery('endpoint', 'of a')).toBeUndefined()
      expect(await webhooks.delivery('endpoint', 'of ')).toMatchObject({ state: 'waiting' })
      await webhooks.enqueue(endpoint, logs)
      expect(await webhooks.delivery('endpoint', 'of a')).toBeUndefined()
      expect(await webhooks.position('endpoint', 'a')).toMatchObject({ sequence: 0, generation: 0 })
      expect(await webhooks.position('endpoint', '')).toMatchObject({ sequence: 5, generation: 2 })
    } finally {
      await database.remove()
    }
  })
})
