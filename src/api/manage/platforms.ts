// What a form for connecting an account is made of, per platform: its ways to authenticate and its settings, in the platform's own words.
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { verticals } from '../../contract/entity.ts'
import { oneOf } from '../../contract/field.ts'
import { credentialFields, questionsOf, scopesOf, settingFields } from '../connect/fields.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const field = Type.Object(
  {
    name: Type.String(),
    label: Type.String({ description: "The platform's own word" }),
    help: Type.Optional(Type.String({ description: 'Where to find it' })),
    secret: Type.Boolean(),
    optional: Type.Boolean(),
    pattern: Type.Optional(Type.String({ description: 'Regular expression' })),
    options: Type.Optional(Type.Array(Type.String(), { description: 'The only values there are' })),
    default: Type.Optional(Type.String({ description: 'Used unless told; {name} stands for another setting' })),
  },
  { additionalProperties: false },
)
const way = Type.Object(
  {
    kind: oneOf(['oauth2', 'client_credentials', 'static', 'basic'], '`auth` of an account'),
    title: Type.String(),
    credentials: Type.Array(field, { description: 'None for oauth2: the platform gives them' }),
    scopes: Type.Array(Type.String()),
    asked: Type.Array(Type.String(), { description: 'Settings to be given before the platform can be asked; it tells the others itself, or they are optional' }),
  },
  { additionalProperties: false },
)
const platform = Type.Object(
  {
    platform: Type.String(),
    name: Type.String(),
    docs: Type.String(),
    verticals: Type.Array(oneOf(verticals, 'Vertical')),
    auth: Type.Array(way),
    settings: Type.Array(field),
    regions: Type.Array(Type.Object({ label: Type.String(), settings: Type.Record(Type.String(), Type.String()) }, { additionalProperties: false }), {
      description: 'Where the platform lives in several places: one of these stands for the settings it names',
    }),
  },
  { additionalProperties: false },
)

export function platformRoutes(connectors: Readonly<Record<string, Connector>>): ManageRoute[] {
  const describe = (connector: Connector) => ({
    platform: connector.id,
    name: connector.name,
    docs: connector.docs,
    verticals: [...connector.verticals],
    auth: connector.auth.map((auth) => {
      const { regions, required } = questionsOf(connector, auth, {})
      const regional = regions.flatMap(({ settings }) => Object.keys(settings))
      return {
        kind: auth.kind,
        title: auth.title ?? (auth.kind === 'oauth2' ? 'Authorisation' : auth.kind),
        credentials: credentialFields(auth),
        scopes: scopesOf(auth),
        asked: [...new Set([...regional, ...required.map(({ name }) => name)])],
      }
    }),
    settings: settingFields(connector),
    regions: connector.regions ?? [],
  })
  return [
    defineRoute({
      method: 'GET',
      path: '/platforms',
      operationId: 'describePlatforms',
      summary: 'Ways to authenticate and settings of every platform, with labels for forms',
      tag: 'Accounts',
      answer: Type.Object({ data: Type.Array(platform) }, { additionalProperties: false }),
      handle: async () => ({ data: Object.values(connectors).map(describe) }),
    }),
  ]
}
