// The host of a call. Only connectors name hosts, as data.
import type { Connector, Template } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { createValidator, type Validator } from '../../contract/validation.ts'
import type { Account } from '../../store/store.ts'
import type { EngineOptions } from '../options.ts'
import { settingDefaults, testFault } from '../settings.ts'
import { fill, fillAll, namesIn } from './template.ts'

/**
 * Token values that name a platform's host (a data center's domain) are stored with the credentials. A setting that the
 * account does not have gets its default.
 */
function originValues(connector: Connector, account: Account, template: Template): Record<string, string> {
  const values: Record<string, string> = { ...account.credentials, ...account.settings }
  if (namesIn(template).every((name) => values[name])) return values
  return { ...fillAll(settingDefaults(connector), values), ...values }
}

/** The origin, and whether it is the sandbox: the only address that the egress guard does not check. */
export function addressOf(
  connector: Connector,
  account: Account,
  name: string,
  options: Pick<EngineOptions, 'originOverride'>,
): { origin: string; sandbox?: true } {
  const override = options.originOverride?.(account)
  return override ? { origin: override, sandbox: true } : { origin: originOf(connector, account, name, options) }
}

export function originOf(
  connector: Connector,
  account: Account,
  name: string,
  options: Pick<EngineOptions, 'originOverride'>,
): string {
  const override = options.originOverride?.(account)
  if (override) return override
  mustBeTest(connector, account)
  const template = connector.origins[name]
  if (template === undefined) throw new Error(`${connector.id} has no origin "${name}"`)
  const values = originValues(connector, account, template)
  const origin = fill(template, values)
  if (origin === undefined)
    throw lacking(
      connector,
      namesIn(template).filter((name) => !values[name]),
    )
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (
    url?.protocol !== 'https:' ||
    url.username ||
    url.password ||
    url.search ||
    url.hash ||
    !wellFormed(connector, template, values)
  )
    throw new Problem('forbidden', `The account's settings do not give an https address for ${connector.name}.`, {
      downstream: { platform: connector.id },
    })
  return origin
}

/** Every address of a call and of an authorization is made here, so no call of a test workspace goes anywhere else. */
function mustBeTest(connector: Connector, { testOnly, settings }: Account): void {
  const fault = testOnly ? testFault(connector, settings) : undefined
  if (fault)
    throw new Problem('forbidden', `${fault.message} Nothing was sent.`, { downstream: { platform: connector.id } })
}

/** An address cannot be made without these settings. */
export const lacking = (connector: Connector, names: readonly string[]): Problem =>
  new Problem('reconnect_required', `The account lacks a setting that ${connector.name}'s address needs.`, {
    errors: names.map((name) => ({ pointer: `/settings/${name}`, message: 'is required' })),
    downstream: { platform: connector.id },
  })

/**
 * Settings are validated when they are saved. A value that came with tokens, or is used before all settings are known,
 * must match the schema of the setting with its name as well.
 */
function wellFormed({ settings }: Connector, template: string, values: Record<string, string>): boolean {
  return namesIn(template).every((name) => validatorOf(settings, name)?.check(values[name]))
}
const validators = new WeakMap<object, Validator>()
function validatorOf(settings: Connector['settings'], name: string): Validator | undefined {
  const schema = settings?.properties[name]
  if (!schema) return undefined
  const validator = validators.get(schema) ?? createValidator(schema)
  validators.set(schema, validator)
  return validator
}
