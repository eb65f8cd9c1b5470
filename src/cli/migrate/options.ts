// What is asked of a migration, read from its flags.
import { readFileSync } from 'node:fs'
import { orderStates } from '../../contract/entities/order.ts'
import { type EntityType, entityTypes } from '../../contract/entity.ts'
import type { Defaults } from '../../migrate/fit.ts'
import { CommandFailure, exitCodes, type Invocation, unreadable } from '../command.ts'

export interface MigrateOptions {
  from: string
  to: string
  entities?: readonly EntityType[]
  plan: boolean
  report: string
  update: boolean
  link: boolean
  resendUnknown: boolean
  ordersSince?: string
  orderStates?: readonly string[]
  prefix: string
  location?: string
  defaults: Defaults
  patienceMs: number
  yes: boolean
}

const usage = (message: string) => new CommandFailure(exitCodes.usage, `${message}\nSee: unirec migrate --help`)

export function readOptions(flags: Invocation['flags']): MigrateOptions {
  const text = (name: string): string | undefined => (typeof flags[name] === 'string' ? flags[name] : undefined)
  const [from, to] = [text('from'), text('to')]
  if (!from || !to) throw usage('migrate needs --from ACCOUNT and --to ACCOUNT')
  if (from === to) throw usage('--from and --to name the same account')
  const entities = listOf(text('entities'), entityTypes, '--entities') as EntityType[] | undefined
  const states = listOf(text('order-states'), orderStates, '--order-states')
  const since = text('orders-since')
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw usage(`--orders-since takes a date such as 2026-01-01, not "${since}"`)
  const minutes = text('patience') ?? '15'
  if (!/^\d{1,4}$/.test(minutes)) throw usage(`--patience takes minutes, not "${minutes}"`)
  const location = text('location')
  return {
    from,
    to,
    entities,
    plan: flags.plan === true,
    report: text('report') ?? `migration-${from}-${to}`,
    update: flags.update === true,
    link: flags.link === true,
    resendUnknown: flags['resend-unknown'] === true,
    ordersSince: since === undefined ? undefined : new Date(since).toISOString(),
    orderStates: states,
    prefix: text('prefix') ?? '',
    location,
    defaults: readDefaults(text('defaults')),
    patienceMs: Number(minutes) * 60_000,
    yes: flags.yes === true,
  }
}

function listOf(text: string | undefined, known: readonly string[], flag: string): string[] | undefined {
  if (text === undefined) return undefined
  const values = text.split(',').map((value) => value.trim())
  const strange = values.find((value) => !known.includes(value))
  if (strange !== undefined) throw usage(`${flag} takes some of ${known.join(',')}; not "${strange}"`)
  return values
}

function readDefaults(file: string | undefined): Defaults {
  if (file === undefined) return {}
  let defaults: unknown
  try {
    defaults = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error)
  }
  const good = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const strange = good(defaults)
    ? Object.keys(defaults).find((name) => !(entityTypes as readonly string[]).includes(name))
    : ''
  if (
    !good(defaults) ||
    strange !== undefined ||
    !Object.values(defaults).every(
      (fields) => good(fields) && Object.keys(fields).every((pointer) => pointer.startsWith('/')),
    )
  )
    throw usage(`${file} must hold values by entity and field, such as {"customer":{"/address/country":"US"}}`)
  return defaults as Defaults
}
