// Every platform with webhooks, from a change in its simulator to the change feed: registered, or entered in its console.
import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../src/contract/entity.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { enterHooks } from '../../src/sandbox-webhooks.ts'
import { createWatched } from '../changes/watched.ts'
import { witnessOf } from './witness.ts'

/** With every webhook, instead of a signature. */
const sendsSecret = ['clover']
const hooked = Object.values(connectors).filter(({ hooks }) => hooks !== undefined)

describe('webhooks of', () => {
  it.each(hooked.map((connector) => [connector.id, connector] as const))(
    '%s report a new record and deletes, as declared, between two polls and walks, signed as the vendor documents',
    async (platform, { hooks }) => {
      const witness = witnessOf(platform)
      const watched = await createWatched('sqlite', {
        platform,
        simulators: witness.simulators,
      })
      const [vertical] = watched.tenants.map((tenant) => tenant.vertical) as ['restaurant']
      const { workspaceId } = await watched.accountOf(vertical)
      const records = watched.tenants.find((tenant) => tenant.vertical === vertical)?.records ?? {}
      const reported = Object.keys(hooks?.reports ?? {}) as EntityType[]
      const entityTypes = reported.filter((one) => records[one])
      const entityType = entityTypes.find((one) => hooks?.reports[one]?.includes('created'))
      if (!entityType) throw new Error('it reports nothing')
      for (const one of entityTypes) await watched.watchOne(vertical, one, { pollSeconds: 86_400, walkHours: 168 })
      for (const one of entityTypes) await watched.walked(vertical, one)
      const accounts = watched.tenants.map((tenant) => ({
        accountId: watched.accountId(tenant.vertical),
        platform,
        vertical: tenant.vertical,
      }))
      await enterHooks(watched.service, connectors, workspaceId, accounts, watched.sandbox.url)
      const hook = async () => (await watched.manage('GET', `/accounts/${watched.accountId(vertical)}/hook`)).body
      if (hooks?.register) await watched.until('it is active', async () => (await hook()).state === 'active')
      // Some platforms send nothing before they have checked the URL.
      const id = await watched.until('it is received', async () => {
        const [added] = records[entityType]?.add(1) ?? []
        return (await hook()).lastReceivedAt && added
      })
      await watched.until('it is read', async () => (await watched.log(vertical)).some((row) => row.nativeId === id))
      const logged = (entityType: string, record: string, operation: string) =>
        watched.until(`${entityType} ${record} is ${operation}`, async () =>
          (await watched.log(vertical)).some(
            (row) => row.entityType === entityType && row.nativeId === record && row.operation === operation,
          ),
        )
      for (const one of entityTypes.filter((one) => hooks?.reports[one]?.includes('deleted') && records[one]?.remove)) {
        const added = records[one]?.add(1)[0] as string
        await logged(one, added, 'created')
        records[one]?.remove?.(added)
        await logged(one, added, 'deleted')
      }
      expect(await hook()).toMatchObject({ state: 'active' })
      // Wrong signatures with which a platform tests the URL are no sign of a wrong secret.
      expect((await hook()).lastRefusedAt).toBeUndefined()
      if (hooks?.verify && !sendsSecret.includes(platform)) witness.expectSigned()
      await watched.close()
    },
  )
})
