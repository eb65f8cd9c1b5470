// The operator's own applications on OAuth platforms, one per workspace and platform.
import type { Connector } from '../contract/connector.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { fits } from '../engine/outbound/authorize.ts'
import type { Account, PlatformApp, Store } from '../store/store.ts'
import type { ConnectParts } from './connect.ts'
import { existingWorkspace } from './lookup.ts'

export interface NewPlatformApp {
  clientId: string
  clientSecret: string
  settings?: Record<string, string>
}

/** Stores the application, and its secret in every account that was connected through it. */
export async function putPlatformApp(
  { store, engine }: Pick<ConnectParts, 'store' | 'engine'>,
  workspaceId: string,
  connector: Connector,
  { clientId, clientSecret, settings = {} }: NewPlatformApp,
  transaction: Store['transaction'],
): Promise<PlatformApp> {
  const { isTest } = await existingWorkspace(store, workspaceId)
  const errors = Object.entries(settings).flatMap(([name, value]): Violation[] =>
    fits(connector, name, value)
      ? []
      : [
          {
            pointer: `/settings/${name}`,
            message: connector.settings?.properties[name]
              ? `does not have the format that ${connector.name} uses`
              : `is not a setting of ${connector.name}. Settings: ${Object.keys(connector.settings?.properties ?? {}).join(', ') || 'none'}`,
          },
        ],
  )
  if (isTest) errors.push(...environmentFaults(engine, { workspaceId, platform: connector.id, settings }))
  if (errors.length > 0) throw new Problem('validation_failed', 'The application is not valid.', { errors })
  const app = await transaction((inner) =>
    inner.platformApps.put({ workspaceId, platform: connector.id, clientId, clientSecret, settings }),
  )
  await passOn(store, app)
  return app
}

/** An application that names no host is of the default one, as an account is. */
export function environmentFaults(
  engine: Engine,
  app: Pick<PlatformApp, 'workspaceId' | 'platform' | 'settings'>,
): Violation[] {
  const fault = engine.testFault({ ...app, testOnly: true } as Account)
  if (!fault) return []
  if (fault.names.length === 0) return [{ pointer: '/platform', message: fault.message }]
  return fault.names.map((name) => ({ pointer: `/settings/${name}`, message: fault.message }))
}

/** Each account stores the secret that it renews tokens with, so a rotated secret must reach all of them. */
async function passOn(store: Store, { workspaceId, platform, clientId, clientSecret }: PlatformApp): Promise<void> {
  let after: string | undefined
  do {
    const page = await store.accounts.list(workspaceId, { limit: 200, after }, { platform })
    for (const { id } of page.data)
      for (let tries = 0; tries < 5; tries++) {
        const account = await store.accounts.get(id)
        if (!account || account.credentials.clientId !== clientId || account.credentials.clientSecret === clientSecret)
          break
        // Tokens may be renewed concurrently: update only what was read.
        if (
          await store.accounts.update(id, { credentials: { ...account.credentials, clientSecret } }, account.revision)
        )
          break
      }
    after = page.next
  } while (after !== undefined)
}
