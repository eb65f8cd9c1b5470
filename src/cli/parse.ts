// From words to a command and its values. What is not known is refused with the nearest thing that is.
import { parseArgs } from 'node:util'
import { distance } from '../base/nearest.ts'
import { type Command, CommandFailure, exitCodes, type Flag } from './command.ts'

/**
 * Taken by every command. Secrets come from the environment or from files: every user of the machine can see command
 * lines.
 */
export const globalFlags: readonly Flag[] = [
  { name: 'url', type: 'string', value: 'URL', description: 'URL of the service (UNIREC_URL)' },
  {
    name: 'profile',
    type: 'string',
    value: 'NAME',
    complete: 'profile',
    description: 'Profile of unirec login (UNIREC_PROFILE; by default the current one)',
  },
  { name: 'api-key-file', type: 'string', value: 'FILE', description: 'File with the API key (or UNIREC_API_KEY)' },
  {
    name: 'access-id',
    type: 'string',
    value: 'ID',
    description: 'Access id, used instead of an API key (UNIREC_ACCESS_ID)',
  },
  {
    name: 'access-secret-file',
    type: 'string',
    value: 'FILE',
    description: 'File with the secret of the access id (or UNIREC_ACCESS_SECRET)',
  },
  {
    name: 'auth-url',
    type: 'string',
    value: 'URL',
    description: 'URL of the token endpoint for the access id, if it is not at the service (UNIREC_AUTH_URL)',
  },
  {
    name: 'admin-token-file',
    type: 'string',
    value: 'FILE',
    description: 'File with the admin token of the management API (or UNIREC_ADMIN_TOKEN)',
  },
  {
    name: 'workspace',
    type: 'string',
    value: 'ID',
    description: 'Workspace for the management API; required if there are several (UNIREC_WORKSPACE)',
  },
  {
    name: 'data-dir',
    type: 'string',
    value: 'DIR',
    description: 'Data directory of a service on this machine (DATA_DIR, ./data)',
  },
  { name: 'json', type: 'boolean', description: 'Print results, progress and errors as JSON' },
  { name: 'quiet', short: 'q', type: 'boolean', description: 'Print no progress and no notes' },
  { name: 'help', short: 'h', type: 'boolean', description: 'Show help' },
  { name: 'version', type: 'boolean', description: 'Show the version' },
]

export const helpTopics = ['flags', 'environment', 'exit-codes'] as const
export type HelpTopic = (typeof helpTopics)[number]

export type Parsed =
  | { kind: 'help'; command?: Command; family?: string; topic?: HelpTopic }
  | { kind: 'version' }
  | {
      kind: 'run'
      command: Command
      arguments: Record<string, string>
      flags: Record<string, string | boolean | undefined>
    }

const usage = (message: string, typed = 'unirec') =>
  new CommandFailure(exitCodes.usage, `${message}\nSee: ${typed} --help`)

function read(words: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, type }) => [name, { type, ...(short ? { short } : {}) }]),
  )
  return parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true }).tokens
}

/** `program`: the name of a program that is the command at the beginning of the words. */
export function parse(words: readonly string[], commands: readonly Command[], program?: string): Parsed {
  const first = read(words, globalFlags)
  const names = first.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const command = commands.find(({ name }) => startsWith(names, name))
  const asked = (name: string) => first.some((token) => token.kind === 'option' && token.name === name)
  if (!command) {
    const found = withoutCommand(names, commands, asked)
    const flag = first.find((token) => token.kind === 'option' && !globalFlags.some(({ name }) => name === token.name))
    if (flag?.kind !== 'option' || asked('help') || names[0] === 'help') return found
    throw unknownFlag(flag, globalFlags, { name: names[0] ?? 'unirec', line: ['unirec', ...names].join(' ') })
  }
  if (asked('help')) return { kind: 'help', command }
  if (asked('version')) return { kind: 'version' }
  const typed = { name: program ?? command.name, line: program ?? `unirec ${command.name}` }
  const tokens = read(words, [...globalFlags, ...command.flags])
  const values = tokens
    .flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
    .slice(command.name.split(' ').length)
  // Flags first: the value of a misspelled one would count as an extra argument.
  const flags = readFlags(command, tokens, typed)
  return { kind: 'run', command, arguments: readArguments(command, values, typed), flags }
}

const startsWith = (words: readonly string[], name: string) =>
  name.split(' ').every((part, index) => words[index] === part)

function withoutCommand(
  names: readonly string[],
  commands: readonly Command[],
  asked: (name: string) => boolean,
): Parsed {
  if (names.length === 0) return asked('version') && !asked('help') ? { kind: 'version' } : { kind: 'help' }
  const wanted = names[0] === 'help' ? names.slice(1) : names
  if (names[0] === 'help') {
    const topic = helpTopics.find((name) => name === wanted[0])
    const command = commands.find(({ name }) => startsWith(wanted, name))
    if (wanted.length === 0 || topic || command) return { kind: 'help', command, topic }
  }
  const family = commands.some(({ name }) => name.startsWith(`${wanted[0]} `)) ? wanted[0] : undefined
  if (family && (wanted.length === 1 || asked('help'))) return { kind: 'help', family }
  const typed = wanted.slice(0, family ? 3 : 1).join(' ')
  const known = [...commands.flatMap(({ name }) => [name, name.split(' ')[0] as string]), ...helpTopics]
  throw usage(`there is no command "${typed}"${didYouMean(typed, [...new Set(known)])}`)
}

/** How errors name a command: in a sentence, and in a line to run. */
interface Typed {
  name: string
  line: string
}

function readArguments(command: Command, values: readonly string[], typed: Typed): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [index, { name, optional, choices }] of command.arguments.entries()) {
    const value = values[index]
    if (value === undefined && !optional) throw usage(`${typed.name} needs <${name}>`, typed.line)
    if (value !== undefined && choices && !choices.includes(value))
      throw usage(
        `<${name}> must be one of ${choices.join(', ')}, not "${value}"${didYouMean(value, choices)}`,
        typed.line,
      )
    if (value !== undefined) given[name] = value
  }
  const surplus = values[command.arguments.length]
  if (surplus !== undefined) throw usage(`${typed.name} does not know what to do with "${surplus}"`, typed.line)
  return given
}

function readFlags(
  command: Command,
  tokens: ReturnType<typeof read>,
  typed: Typed,
): Record<string, string | boolean | undefined> {
  const known = [...globalFlags, ...command.flags]
  const values: Record<string, string | boolean | undefined> = Object.fromEntries(
    command.flags.flatMap((flag) => (flag.default === undefined ? [] : [[flag.name, flag.default]])),
  )
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = known.find(({ name }) => name === token.name)
    if (!flag) throw unknownFlag(token, known, typed)
    if (flag.type === 'boolean') {
      if (token.value !== undefined) throw usage(`${token.rawName} takes no value`, typed.line)
      values[flag.name] = true
      continue
    }
    if (token.value === undefined || (token.value === '' && !flag.canBeEmpty))
      throw usage(`${token.rawName} needs a value: ${token.rawName} ${flag.value ?? 'VALUE'}`, typed.line)
    if (flag.choices && !flag.choices.includes(token.value))
      throw usage(
        `${token.rawName} is one of ${flag.choices.join(', ')}; not "${token.value}"${didYouMean(token.value, flag.choices)}`,
        typed.line,
      )
    values[flag.name] = token.value
  }
  return values
}

function unknownFlag(
  typedFlag: { name: string; rawName: string },
  known: readonly Flag[],
  typed: Typed,
): CommandFailure {
  const names = known.map(({ name }) => name)
  return usage(`${typed.name} has no ${typedFlag.rawName}${didYouMean(typedFlag.name, names, '--')}`, typed.line)
}

export function didYouMean(typed: string, known: readonly string[], prefix = ''): string {
  const [best] = known.map((name) => ({ name, far: distance(typed, name) })).sort((one, other) => one.far - other.far)
  const close = best && (best.far <= Math.max(1, Math.floor(best.name.length / 3)) || best.name.startsWith(typed))
  return close ? `; did you mean ${prefix}${best.name}?` : ''
}
