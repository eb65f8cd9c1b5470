// The connect form of each platform: authentication methods and settings, with the platform's own labels.

import { credentialFields, isUsual, questionsOf, scopesOf, settingFields } from '../../accounts/fields.ts'
import type { Connector } from '../../contract/connector.ts'
import { platform } from '../../contract/manage/platforms.ts'
import { listOf, object } from '../../contract/schema.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export function platformRoutes(connectors: Readonly<Record<string, Connector>>): ManageRoute[] {
  const describe = (connector: Connector) => ({
    platform: connector.id,
    name: connector.name,
    docs: connector.docs,
    verticals: [...connector.verticals],
    auth: connector.auth.map((auth) => {
      const { regions, usualRegion, required } = questionsOf(connector, auth, {})
      const regional = usualRegion === undefined ? regions.flatMap(({ settings }) => Object.keys(settings)) : []
      return {
        kind: auth.kind,
        title: auth.title ?? (auth.kind === 'oauth2' ? 'Authorization' : auth.kind),
        credentials: credentialFields(auth),
        scopes: scopesOf(connector, auth, {}),
        registration: auth.kind === 'oauth2' ? auth.registration : undefined,
        asked: [...new Set([...regional, ...required.map(({ name }) => name)])],
      }
    }),
    settings: settingFields(connector),
    regions: (connector.regions ?? []).map((region) => ({
      ...region,
      ...(isUsual(connector, region.settings) && { usual: true }),
    })),
  })
  return [
    defineRoute({
      method: 'GET',
      path: '/platforms',
      operationId: 'describePlatforms',
      role: 'person',
      summary: 'List authentication methods and settings of every platform, with labels for forms',
      tag: 'Accounts',
      answer: object({ data: listOf(platform) }),
      handle: async () => ({ data: Object.values(connectors).map(describe) }),
    }),
  ]
}
