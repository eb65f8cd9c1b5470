// The fields of a connect form in the platform's own terms: credentials, and settings that only the customer knows.
import type { TSchema } from 'typebox'
import type { Auth, Connector } from '../contract/connector.ts'
import { fits } from '../engine/outbound/authorize.ts'
import { fill, namesIn } from '../engine/outbound/template.ts'
import { settingDefaults } from '../engine/settings.ts'

export interface Field {
  name: string
  label: string
  help?: string
  secret: boolean
  optional: boolean
  pattern?: string
  options?: string[]
  default?: string
  reference?: 'location' // its values are the ids of these records
}
interface Described {
  title?: string
  description?: string
  pattern?: string
  enum?: string[]
  default?: string
  reference?: 'location'
}
type Settings = Readonly<Record<string, string>>

export function credentialNames(auth: Auth): string[] {
  if (auth.kind === 'static') return [...auth.fields]
  if (auth.kind === 'basic') return [auth.user, auth.password]
  if (auth.kind === 'client_credentials') return ['clientId', 'clientSecret']
  return ['accessToken']
}

/** OAuth platforms issue their own credentials. */
export function credentialFields(auth: Auth): Field[] {
  if (auth.kind === 'oauth2') return []
  return credentialNames(auth).map((name) => {
    const { label = spoken(name), help } = auth.words?.[name] ?? {}
    return { name, label, help, secret: /token|secret|password|key/i.test(name), optional: false }
  })
}

export function settingFields({ settings }: Connector): Field[] {
  return Object.entries(settings?.properties ?? {}).map(([name, schema]) => {
    const {
      title = spoken(name),
      description,
      pattern,
      enum: options,
      default: fallback,
      reference,
    } = schema as TSchema & Described
    return {
      name,
      label: title,
      help: description,
      secret: false,
      optional: !((settings?.required ?? []) as readonly string[]).includes(name),
      pattern,
      options: options ? [...options] : undefined,
      default: fallback,
      reference,
    }
  })
}

export interface Questions {
  regions: NonNullable<Connector['regions']> // the customer chooses one; empty if the platform has none
  usualRegion?: number // applies without a choice
  required: Field[]
  optional: Field[]
}
/**
 * The settings needed before the first call: those that form addresses, and required ones that the platform does not
 * return.
 */
export function questionsOf(connector: Connector, auth: Auth, fixed: Settings): Questions {
  const before = new Set(
    connector.auth.flatMap((method) => (method.kind === 'oauth2' ? authorizeNames(connector, method) : [])),
  )
  const addresses = new Set([...before, ...Object.values(connector.origins).flatMap(namesIn)])
  const supplied = new Set(
    auth.kind === 'oauth2' ? [...Object.keys(auth.callback ?? {}), ...Object.keys(auth.answer.keep ?? {})] : [],
  )
  const regional = new Set((connector.regions ?? []).flatMap(({ settings }) => Object.keys(settings)))
  const open = settingFields(connector).filter(
    (field) => fixed[field.name] === undefined && (field.default === undefined || regional.has(field.name)),
  )
  const needed = open.filter(({ name, optional }) => {
    if (auth.kind === 'oauth2' && before.has(name)) return true
    return (
      (addresses.has(name) || (!optional && (!connector.discover || isAsked(connector, name)))) && !supplied.has(name)
    )
  })
  const regions = needed.some(({ name }) => regional.has(name)) ? (connector.regions ?? []) : []
  const usualRegion = regions.findIndex(({ settings }) => isUsual(connector, settings))
  return {
    regions,
    ...(usualRegion >= 0 && { usualRegion }),
    required: needed.filter(({ name }) => !regional.has(name)).map((field) => ({ ...field, optional: false })),
    optional: open.filter((field) => field.optional && !needed.includes(field) && !supplied.has(field.name)),
  }
}

/** A setting that the platform cannot report, because its calls need it. */
const isAsked = ({ settings }: Connector, name: string): boolean =>
  (settings?.properties[name] as { asked?: true } | undefined)?.asked === true

export interface Answers {
  settings: Record<string, string>
  errors: Record<string, 'required' | 'format'> // by field
}
/** Reads the submitted form. Ignores fields that the form does not have. */
export function readAnswers(
  connector: Connector,
  { regions, usualRegion, required, optional }: Questions,
  typed: URLSearchParams,
  fixed: Settings,
): Answers {
  const settings: Record<string, string> = {}
  const errors: Answers['errors'] = {}
  for (const { name, optional: mayBeEmpty } of [...required, ...optional]) {
    const value = (typed.get(name) ?? '').trim()
    if (value !== '' && fits(connector, name, value)) settings[name] = value
    else if (value !== '') errors[name] = 'format'
    else if (!mayBeEmpty) errors[name] = 'required'
  }
  if (regions.length > 0) {
    const region = regions[Number(typed.get('region') || (usualRegion ?? Number.NaN))]
    if (region) Object.assign(settings, region.settings)
    else errors.region = 'required'
  }
  return { settings: withDefaults(connector, { ...settings, ...fixed }), errors }
}

/** Whether a region has the defaults of its settings. */
export function isUsual(connector: Connector, settings: Settings): boolean {
  const defaults = settingDefaults(connector)
  return Object.entries(settings).every(([name, value]) => defaults[name] === value)
}
/** The settings of the region that applies to accounts that name none. */
export const usualSettings = (connector: Connector): Settings =>
  connector.regions?.find(({ settings }) => isUsual(connector, settings))?.settings ?? {}

function withDefaults(connector: Connector, settings: Record<string, string>): Record<string, string> {
  for (const { name, default: template } of settingFields(connector)) {
    const value = template === undefined || settings[name] !== undefined ? undefined : fill(template, settings)
    if (value !== undefined) settings[name] = value
  }
  return settings
}

/** What a customer is asked to approve. An operator may choose the scopes, in the settings of the application. */
export const scopesOf = (connector: Connector, auth: Auth, fixed: Settings): string[] =>
  auth.kind === 'oauth2'
    ? (fill(auth.authorize.query.scope ?? '', withDefaults(connector, { ...fixed })) ?? '')
        .split(/[\s,]+/)
        .filter(Boolean)
    : []
/** Settings of the application that only choose the scopes. */
export const scopeSettings = (connector: Connector): string[] =>
  connector.auth.flatMap((auth) => (auth.kind === 'oauth2' ? namesIn(auth.authorize.query.scope ?? '') : []))

const authorizeNames = (connector: Connector, { authorize }: Extract<Auth, { kind: 'oauth2' }>): string[] =>
  [connector.origins[authorize.origin] ?? '', authorize.path, ...Object.values(authorize.query)].flatMap(namesIn)
/** "restaurantGuid" -> "Restaurant guid" */
const spoken = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
