// The operator's own applications on OAuth platforms, one per workspace and platform.

import { scopesOf } from '../../accounts/fields.ts'
import { missing, missingIn } from '../../accounts/lookup.ts'
import { putPlatformApp } from '../../accounts/platform-apps.ts'
import type { Connector } from '../../contract/connector.ts'
import { platformApp, platformAppSettings } from '../../contract/manage/platform-apps.ts'
import { listOf, object } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { oauthOf } from '../../engine/outbound/authorize.ts'
import type { PlatformApp, Store } from '../../store/store.ts'
import { redirectPath } from '../connect/routes.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export function platformAppRoutes(
  store: Store,
  engine: Engine,
  connectors: Readonly<Record<string, Connector>>,
  baseUrl: () => string,
): ManageRoute[] {
  const tag = 'Connect'
  const base = '/workspaces/{workspaceId}/platform-apps'
  const connectorOf = ({ platform }: Record<string, string>): Connector => {
    const connector = connectors[platform as string]
    if (!connector || !oauthOf(connector))
      throw missing(
        'platform with OAuth',
        `Check platform in the path. Platforms with OAuth are ${Object.keys(connectors)
          .filter((id) => oauthOf(connectors[id]!))
          .join(', ')}.`,
      )
    return connector
  }
  const show = (connector: Connector, app: PlatformApp | undefined) => ({
    platform: connector.id,
    name: connector.name,
    configured: app !== undefined,
    clientId: app?.clientId,
    redirectUri: `${baseUrl()}${redirectPath}`,
    scopes: connector.auth.flatMap((auth) => scopesOf(connector, auth, app?.settings ?? {})),
    settings: app?.settings ?? {},
    updatedAt: app?.updatedAt,
  })
  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listPlatformApps',
      role: 'viewer',
      summary: 'List OAuth platforms and whether they have an application',
      tag,
      answer: object({ data: listOf(platformApp) }),
      handle: async ({ parameters }) => {
        const apps = new Map(
          (await store.platformApps.list(parameters.workspaceId as string)).map((app) => [app.platform, app]),
        )
        return {
          data: Object.values(connectors).flatMap((connector) =>
            oauthOf(connector) ? [show(connector, apps.get(connector.id))] : [],
          ),
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{platform}`,
      operationId: 'getPlatformApp',
      role: 'viewer',
      summary: 'Read whether an application is set, and what to register on the platform',
      tag,
      answer: platformApp,
      handle: async ({ parameters }) =>
        show(
          connectorOf(parameters),
          await store.platformApps.get(parameters.workspaceId as string, parameters.platform as string),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path: `${base}/{platform}`,
      operationId: 'putPlatformApp',
      role: 'admin',
      summary: 'Set the client id and secret; accounts with the same client id use the new secret',
      tag,
      body: object(platformAppSettings),
      answer: platformApp,
      handle: async ({ parameters, body, recorded }) => {
        const connector = connectorOf(parameters)
        const app = await putPlatformApp({ store, engine }, parameters.workspaceId as string, connector, body, recorded)
        return show(connector, app)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{platform}`,
      operationId: 'deletePlatformApp',
      role: 'admin',
      summary: 'Delete the application; connected accounts keep working',
      tag,
      handle: async ({ parameters, recorded }) => {
        const { id } = connectorOf(parameters)
        await recorded(async (inner) => {
          if (!(await inner.platformApps.delete(parameters.workspaceId as string, id)))
            throw missingIn('platform', 'application', base)
        })
      },
    }),
  ]
}
