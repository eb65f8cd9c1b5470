// Help on a terminal and the page docs/cli.md, both from the declarations.
import type { Argument, Command, Flag } from './command.ts'
import { globalFlags } from './parse.ts'

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['UNIREC_URL', 'address of the service; where the service has a MANAGE_PORT, its management address'],
  ['UNIREC_API_KEY', 'API key of a workspace'],
  ['UNIREC_ACCESS_ID, UNIREC_ACCESS_SECRET', 'access id and its secret, instead of an API key'],
  ['UNIREC_MAPPING_KEYS', 'with an access id: the mapping keys, as ACCOUNT=READ/WRITE, several separated by commas'],
  ['UNIREC_ADMIN_TOKEN', "the service's ADMIN_TOKEN, for what needs the management API"],
  ['UNIREC_WORKSPACE', 'workspace for the management API, where there are several'],
  ['DATA_DIR', 'data directory of a service on this machine, ./data unless told'],
  ['DATABASE_URL, ENCRYPTION_KEY', "the service's own, for `doctor`, `keys rotate`, `users`, `backup`, `restore` and `serve`"],
  ['NO_COLOR', 'no colours'],
]
const exits: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'all went well'],
  [1, 'some of it failed: records that were refused, an account that does not answer, findings of `doctor`'],
  [2, 'wrong usage: unknown command or flag, a file that cannot be read'],
  [3, 'the service cannot be reached, or does not accept the credentials'],
  [130, 'interrupted (Ctrl-C); what was begun can be run again'],
]

const flagWords = ({ name, short, type, value, choices }: Flag) =>
  `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` ${choices ? choices.join('|') : (value ?? 'VALUE')}` : ''}`
const flagMeaning = (flag: Flag) => `${flag.description}${flag.default === undefined ? '' : ` (${flag.default} unless told)`}`
const argumentWords = ({ name, optional, choices }: Argument) => (optional ? `[${choices?.join('|') ?? name}]` : choices ? choices.join('|') : `<${name}>`)
const usageLine = (command: Command) => ['unirec', command.name, ...command.arguments.map(argumentWords), ...(command.flags.length > 0 ? ['[flags]'] : [])].join(' ')

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

export function helpFor(command: Command): string {
  const argumentRows = command.arguments.map((argument) => [argumentWords(argument), argument.description] as const)
  const flagRows = command.flags.map((flag) => [flagWords(flag), flagMeaning(flag)] as const)
  return [
    `${command.summary}\n\nUsage: ${usageLine(command)}`,
    ...(argumentRows.length > 0 ? [columns(argumentRows)] : []),
    ...(flagRows.length > 0 ? [`Flags:\n${columns(flagRows)}`] : []),
    `Flags of every command:\n${columns(globalFlags.map((flag) => [flagWords(flag), flagMeaning(flag)]))}`,
    ...(command.examples ? [`Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`] : []),
  ].join('\n\n')
}

export function generalHelp(commands: readonly Command[], group?: string): string {
  const shown = group ? commands.filter(({ name }) => name.startsWith(`${group} `)) : commands
  const list = columns((shown.length > 0 ? shown : commands).map((command) => [[command.name, ...command.arguments.map(argumentWords)].join(' '), command.summary]))
  if (group && shown.length > 0) return `Usage: unirec ${group} …\n\n${list}\n\nunirec <command> --help says more.`
  return [
    'Unified Records: one API in front of restaurant, retail and accounting platforms.\n\nUsage: unirec <command> [flags]',
    `Commands:\n${list}`,
    `Flags of every command:\n${columns(globalFlags.map((flag) => [flagWords(flag), flagMeaning(flag)]))}`,
    `Environment:\n${columns(environment)}`,
    `Exit codes:\n${columns(exits.map(([code, meaning]) => [String(code), meaning]))}`,
    'Beside a running sandbox nothing needs to be set: address and credentials are taken from DATA_DIR/sandbox.json.\nunirec <command> --help says more about one command.',
  ].join('\n\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const tableOf = (head: readonly [string, string], rows: readonly (readonly [string, string])[]) =>
  [`| ${head[0]} | ${head[1]} |`, '|---|---|', ...rows.map(([left, right]) => `| ${cell(left)} | ${cell(right)} |`)].join('\n')
const inCode = (text: string) => `\`${text}\``

export function cliPage(commands: readonly Command[], made: string): string {
  const sections = commands.map((command) => {
    const rows = [
      ...command.arguments.map((argument) => [inCode(argumentWords(argument)), argument.description] as const),
      ...command.flags.map((flag) => [inCode(flagWords(flag)), flagMeaning(flag)] as const),
    ]
    return [
      `## ${command.name}`,
      `${command.summary}.`,
      `\`\`\`\n${usageLine(command)}\n\`\`\``,
      ...(rows.length > 0 ? [tableOf(['', 'meaning'], rows)] : []),
      ...(command.examples ? [`\`\`\`\n${command.examples.join('\n')}\n\`\`\``] : []),
    ].join('\n\n')
  })
  return `${[
    '# The command line `unirec`',
    made,
    'In a clone of the repository: `npx unirec …` (or `node bin/unirec.mjs …`). Beside a running sandbox nothing needs to be set: address and credentials are taken from `DATA_DIR/sandbox.json`, and a note on standard error says so.',
    'Records and results go to standard output, progress and notes to standard error: a bar with rate, time left and waiting for limits on a terminal, a plain line every few seconds otherwise, JSON lines with `--json`. Shell completion: see [completion](#completion).',
    '## Flags of every command',
    tableOf(
      ['flag', 'meaning'],
      globalFlags.map((flag) => [inCode(flagWords(flag)), flagMeaning(flag)]),
    ),
    'There is no flag for a secret itself: the words of a command line can be seen by everybody on the machine.',
    '## Environment',
    tableOf(
      ['variable', 'meaning'],
      environment.map(([name, meaning]) => [name.split(', ').map(inCode).join(', '), meaning]),
    ),
    '## Exit codes',
    tableOf(
      ['code', 'meaning'],
      exits.map(([code, meaning]) => [String(code), meaning]),
    ),
    ...sections,
  ].join('\n\n')}\n`
}
