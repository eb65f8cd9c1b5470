// Values of flags, and what the service says about them in the words of the command line.
import { type Command, CommandFailure, exitCodes, type Flag, type Invocation } from './command.ts'

type Given = Pick<Invocation, 'flags'>
type Value = Given['flags'][string]

/** Separated by commas; empty for an empty value. */
export const listIn = (value: Value): string[] | undefined =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : undefined

export function numberIn(flags: Given['flags'], { name }: Pick<Flag, 'name'>): number | undefined {
  const text = flags[name]
  if (typeof text !== 'string') return undefined
  if (!/^\d{1,9}$/.test(text))
    throw new CommandFailure(exitCodes.usage, `--${name} takes a whole number from 0 on, not "${text}"`)
  return Number(text)
}

export const textIn = (value: Value): string | undefined => (typeof value === 'string' ? value : undefined)

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** `15m`, `2h` or `3d` ago, or a time. */
export function pastTimeIn(flags: Given['flags'], name: string, now = Date.now()): string | undefined {
  const text = textIn(flags[name])
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const at = count ? now - Number(count) * unitMs[unit as keyof typeof unitMs] : Date.parse(text)
  if (Number.isNaN(at))
    throw new CommandFailure(
      exitCodes.usage,
      `--${name} must be like 15m, 2h, 3d or 2026-11-01T00:00:00Z, not "${text}"`,
    )
  return new Date(at).toISOString()
}

/**
 * Where the user typed a member of the body: `--events "products.*"` for `/events/0`, `--query "limit"` for
 * `/query/limit`. The pointer, if nowhere.
 */
export function typedAs(pointer: string, command: Pick<Command, 'arguments' | 'flags'>, { flags }: Given): string {
  const [, member = '', inner = ''] = /^\/(\w+)(?:\/([^/]+))?$/.exec(pointer) ?? []
  if (member === '') return pointer
  const argument = command.arguments.find(({ field }) => field === member)
  if (argument) return `<${argument.name}>`
  const flag = command.flags.find(({ field }) => field === member)
  if (!flag) return pointer
  const entry = /^\d+$/.test(inner) ? listIn(flags[flag.name])?.[Number(inner)] : inner
  return entry ? `--${flag.name} "${entry}"` : `--${flag.name}`
}

/** What the service says, with the flags, arguments and commands of the command line for its pointers and addresses. */
export function retold(
  detail: string,
  errors: readonly { pointer: string; message: string }[],
  command: Pick<Command, 'arguments' | 'flags'>,
  given: Given,
): string {
  const named = errors.reduce(
    (text, { pointer, message }) =>
      text.replace(`${pointer} ${message}`, () => `${typedAs(pointer, command, given)} ${message}`),
    detail,
  )
  const signingIn = named.replace('POST /manage/v1/sessions', 'unirec login --user NAME')
  return signingIn.replace(/Check (\w+) in the path: GET \S+ lists them\./, (text, parameter: string) => {
    const argument = command.arguments.find(({ field }) => field === parameter)
    return argument?.listedBy ? `Check <${argument.name}>: ${argument.listedBy} lists them.` : text
  })
}
