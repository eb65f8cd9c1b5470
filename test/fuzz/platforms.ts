// The simulators of honest accounts, and those behind the hostile server. They run in the callers' process, so that the
// service has a core to itself.
import type { EntityType } from '../../src/contract/entity.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Tenant } from '../../src/sandbox/simulator.ts'
import { createHostilePlatform, type HostilePlatform } from './hostile-platform.ts'
import { paceScale } from './service-process.ts'

export type FuzzedTenant = Pick<Tenant, 'vertical' | 'credentials' | 'settings'> & { platform: string }
export interface Platforms {
  honest: Sandbox
  hostile: HostilePlatform
  tenants: FuzzedTenant[]
  besieged: FuzzedTenant[] // behind the hostile server: the outcome of writes may be unknown
  /** Ids of all records on the honest simulators, by account and entity. */
  records(): Record<string, string[]>
  close(): Promise<void>
}

export async function createPlatforms(): Promise<Platforms> {
  const [honest, behind] = (await Promise.all(
    [1, 2].map(() => createSandbox({ simulators, size: 'small', paceScale, strict: false })),
  )) as [Sandbox, Sandbox]
  const hostile = await createHostilePlatform(behind.url)
  const tenantsOf = (sandbox: Sandbox) =>
    Object.keys(simulators).flatMap((platform) =>
      sandbox.simulator(platform).tenants.map((tenant) => ({ ...tenant, platform })),
    )
  return {
    honest,
    hostile,
    tenants: tenantsOf(honest),
    besieged: tenantsOf(behind),
    records() {
      const found: Record<string, string[]> = {}
      for (const platform of Object.keys(simulators))
        for (const { vertical, records } of honest.simulator(platform).tenants)
          for (const [entityType, collection] of Object.entries(records) as [EntityType, { ids(): string[] }][])
            found[`${platform}-${vertical} ${entityType}`] = collection.ids()
      return found
    },
    async close() {
      await hostile.close()
      await Promise.all([honest.close(), behind.close()])
    },
  }
}
