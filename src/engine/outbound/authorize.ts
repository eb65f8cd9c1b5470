// The authorization page that a customer is sent to, and the checks of the redirect that comes back.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Auth, Connector } from '../../contract/connector.ts'
import { entities } from '../../contract/entities/index.ts'
import { type EntityType, entityTypes } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { createValidator } from '../../contract/validation.ts'
import type { Account } from '../../store/store.ts'
import type { EngineOptions } from '../options.ts'
import { settingDefaults } from '../settings.ts'
import { adapterOf } from '../support.ts'
import { originOf } from './origin.ts'
import { fill, fillAll, namesIn, type Values } from './template.ts'

export type OAuth = Extract<Auth, { kind: 'oauth2' }>
export const oauthOf = (connector: Connector): OAuth | undefined =>
  connector.auth.find((auth): auth is OAuth => auth.kind === 'oauth2')
export const usesPkce = ({ authorize }: OAuth): boolean => Object.values(authorize.query).includes('{codeChallenge}')

/** The account is a draft: its settings decide the host. */
export function authorizeUrl(
  options: Pick<EngineOptions, 'originOverride'>,
  connector: Connector,
  account: Account,
  values: Values & { codeVerifier?: string },
  used: ReadonlySet<EntityType>,
): string {
  const { authorize } = oauthOf(connector) as OAuth
  const codeChallenge = values.codeVerifier && createHash('sha256').update(values.codeVerifier).digest('base64url')
  const all = { ...account.settings, ...values, codeChallenge }
  const path = fill(authorize.path, all)
  if (path === undefined) throw refused(connector, 'its address needs a setting that is missing')
  const query = fillAll(authorize.query, all)
  const { scope } = query
  if (scope !== undefined && !chosen(connector, authorize, account))
    query.scope = withScopes(scope, connector, account, used)
  return `${originOf(connector, account, authorize.origin, options)}${path}?${new URLSearchParams(query)}`
}

/** Whether a person has entered the scopes, in place of the usual ones. */
function chosen(connector: Connector, authorize: OAuth['authorize'], { settings }: Account): boolean {
  const names = namesIn(authorize.query.scope ?? '')
  const usual = settingDefaults(connector)
  return names.some((name) => settings[name] !== undefined && settings[name] !== usual[name])
}
/** With the scopes of the types that are asked for only on request. */
function withScopes(scope: string, connector: Connector, account: Account, used: ReadonlySet<EntityType>): string {
  const separator = scope.includes(',') ? ',' : ' '
  const asked = new Set(scope.split(separator))
  for (const type of entityTypes) {
    const adapter =
      entities[type].onRequest && used.has(type) ? adapterOf(connector, account.vertical, type) : undefined
    for (const one of [...(adapter?.scopes?.read ?? []), ...(adapter?.scopes?.write ?? [])]) asked.add(one)
  }
  return [...asked].join(separator)
}

export interface Redirect {
  settings: Record<string, string>
  values: Record<string, string> // for the exchange only
}
/**
 * What the platform added to its redirect. Anyone can forge one, and its values decide where the client secret is sent:
 * everything is checked against the connector's data and the original request.
 */
export function readRedirect(
  connector: Connector,
  query: URLSearchParams,
  asked: Values,
  clientSecret: string,
): Redirect {
  const { callback = {}, callbackHmac } = oauthOf(connector) as OAuth
  if (callbackHmac !== undefined && !isSigned(query, callbackHmac, clientSecret))
    throw refused(connector, 'it was not signed by the platform')
  const found: Redirect = { settings: {}, values: {} }
  for (const [name, parameter] of Object.entries(callback)) {
    const [value, ...more] = query.getAll(parameter)
    if (more.length > 0 || (value?.length ?? 0) > 2000) throw refused(connector, `${parameter} is not one value`)
    const isSetting = connector.settings?.properties[name] !== undefined
    if (isSetting) found.settings[name] = settingOf(connector, name, parameter, value, asked[name])
    else if (value !== undefined) found.values[name] = value
  }
  return found
}

function settingOf(
  connector: Connector,
  name: string,
  parameter: string,
  value: string | undefined,
  asked: string | undefined,
): string {
  if (value === undefined || !fits(connector, name, value))
    throw refused(connector, `it does not tell ${parameter} as it should`)
  if (asked !== undefined && asked !== value)
    throw refused(connector, `it is for "${value}", and "${asked}" was asked for`)
  return value
}

/** Whether a single setting satisfies its own schema. */
export function fits(connector: Connector, name: string, value: string): boolean {
  const schema = connector.settings?.properties[name]
  return schema !== undefined && createValidator(schema).check(value)
}

function isSigned(query: URLSearchParams, parameter: string, secret: string): boolean {
  const others = new URLSearchParams(query)
  const given = Buffer.from(others.get(parameter) ?? '', 'hex')
  others.delete(parameter)
  others.sort()
  const expected = createHmac('sha256', secret).update(others.toString()).digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const refused = (connector: Connector, reason: string) =>
  new Problem('forbidden', `The answer of ${connector.name} cannot be accepted: ${reason}.`, {
    downstream: { platform: connector.id },
  })
