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
  if (!/^\d{1,9}$/.test(text)) throw new CommandFailure(exitCodes.usage, `--${name} takes a number, not "${text}"`)
  return Number(text)
}

/** Where the user typed a member of the body: `--events "products.*"` for `/events/0`. The pointer, if nowhere. */
export function typedAs(pointer: string, command: Pick<Command, 'arguments' | 'flags'>, { flags }: Given): string {
  const [, member = '', index] = /^\/(\w+)(?:\/(\d+))?$/.exec(pointer) ?? []
  if (member === '') return pointer
  const argument = command.arguments.find(({ field }) => field === member)
  if (argument) return `<${argument.name}>`
  const flag = command.flags.find(({ field }) => field === member)
  if (!flag) return pointer
  const entry = index === undefined ? undefined : listIn(flags[flag.name])?.[Number(index)]
  return entry === undefined ? `--${flag.name}` : `--${flag.name} "${entry}"`
}
