// The help text and the page docs/cli.md, both generated from the declarations.
import type { Argument, Command, Flag } from './command.ts'
import { globalFlags } from './parse.ts'

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['UNIREC_URL', 'URL of the service; if the service has a MANAGE_PORT, its management URL'],
  ['UNIREC_API_KEY', 'API key of a workspace'],
  ['UNIREC_ACCESS_ID, UNIREC_ACCESS_SECRET', 'access id and secret, instead of an API key'],
  ['UNIREC_AUTH_URL', 'URL of the token endpoint for an access id, if it is not at the service'],
  ['UNIREC_MAPPING_KEYS', 'mapping keys for an access id: ACCOUNT=READ/WRITE, separated by commas'],
  [
    'UNIREC_ADMIN_TOKEN',
    "the service's ADMIN_TOKEN, for commands that use the management API; for most an API key with the scope `manage` will do",
  ],
  ['UNIREC_WEBHOOK_SECRET', 'secret that unirec listen signs with'],
  ['UNIREC_WORKSPACE', 'workspace for the management API; required if there are several'],
  ['DATA_DIR', 'data directory of a service on this machine (default ./data)'],
  [
    'DATABASE_URL, ENCRYPTION_KEY',
    'same values as the service, for `doctor`, `encryption-key rotate`, `users`, `backup`, `restore` and `serve`',
  ],
  ['NO_COLOR', 'disables colors'],
]
const exits: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'success'],
  [1, 'partial failure: rejected records, an account that does not respond, problems found by `doctor`'],
  [2, 'usage error: unknown command or flag, unreadable file'],
  [3, 'the service is unreachable or rejects the credentials'],
  [130, 'interrupted (Ctrl-C); the command can be run again'],
]

const flagWords = ({ name, short, type, value, choices }: Flag) =>
  `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` ${choices ? choices.join('|') : (value ?? 'VALUE')}` : ''}`
const flagMeaning = (flag: Flag) =>
  `${flag.description}${flag.default === undefined ? '' : ` (default: ${flag.default})`}`
const argumentWords = ({ name, optional, choices }: Argument) =>
  optional ? `[${choices?.join('|') ?? name}]` : choices ? choices.join('|') : `<${name}>`
const usageLine = (command: Command) =>
  [
    'unirec',
    command.name,
    ...command.arguments.map(argumentWords),
    ...(command.flags.length > 0 ? ['[flags]'] : []),
  ].join(' ')

const LINE = 100
const FIRST_COLUMN = 34
/** Breaks at spaces and after `|`. Lines after the first are indented. */
function wrap(text: string, indent: number): string {
  const lines = ['']
  for (const piece of text.split(/(?<=[ |])/)) {
    const longer = lines.at(-1) + piece
    if (indent + longer.trimEnd().length <= LINE) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines.map((line) => line.trimEnd()).join(`\n${' '.repeat(indent)}`)
}

/** A description starts on the next line if the first column is too narrow for what it describes. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= FIRST_COLUMN))
  const indent = width + 4
  return rows
    .map(([left, right]) => {
      const start = left.length <= width ? `  ${left.padEnd(width)}  ` : `  ${wrap(left, 4)}\n${' '.repeat(indent)}`
      return start + wrap(right, indent)
    })
    .join('\n')
}

export function helpFor(command: Command): string {
  const argumentRows = command.arguments.map((argument) => [argumentWords(argument), argument.description] as const)
  const flagRows = command.flags.map((flag) => [flagWords(flag), flagMeaning(flag)] as const)
  return [
    `${wrap(command.summary, 0)}\n\nUsage: ${wrap(usageLine(command), 7)}`,
    ...(argumentRows.length > 0 ? [columns(argumentRows)] : []),
    ...(flagRows.length > 0 ? [`Flags:\n${columns(flagRows)}`] : []),
    `Global flags:\n${columns(globalFlags.map((flag) => [flagWords(flag), flagMeaning(flag)]))}`,
    ...(command.examples ? [`Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`] : []),
  ].join('\n\n')
}

export function generalHelp(commands: readonly Command[], group?: string): string {
  const shown = group ? commands.filter(({ name }) => name.startsWith(`${group} `)) : commands
  const list = columns(
    (shown.length > 0 ? shown : commands).map((command) => [
      [command.name, ...command.arguments.map(argumentWords)].join(' '),
      command.summary,
    ]),
  )
  if (group && shown.length > 0)
    return `Usage: unirec ${group} …\n\n${list}\n\nRun unirec <command> --help for details.`
  return [
    'Unified Records: one API in front of restaurant, retail and accounting platforms.\n\nUsage: unirec <command> [flags]',
    `Commands:\n${list}`,
    `Global flags:\n${columns(globalFlags.map((flag) => [flagWords(flag), flagMeaning(flag)]))}`,
    `Environment:\n${columns(environment)}`,
    `Exit codes:\n${columns(exits.map(([code, meaning]) => [String(code), meaning]))}`,
    'With a running sandbox, no configuration is needed: URL and credentials come from\nDATA_DIR/sandbox.json.\nRun unirec <command> --help for details.',
  ].join('\n\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const tableOf = (head: readonly [string, string], rows: readonly (readonly [string, string])[]) =>
  [
    `| ${head[0]} | ${head[1]} |`,
    '|---|---|',
    ...rows.map(([left, right]) => `| ${cell(left)} | ${cell(right)} |`),
  ].join('\n')
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
    'In a checkout, run `npx unirec …` (or `node bin/unirec.mjs …`). With a running sandbox, no configuration is needed: URL and credentials come from `DATA_DIR/sandbox.json`, and a note on standard error says so.',
    'Records and results go to standard output. Progress and notes go to standard error: on a terminal a progress bar with rate, remaining time and rate-limit waits, otherwise a plain line every few seconds, with `--json` JSON lines. Shell completion: see [completion](#completion).',
    '## Global flags',
    tableOf(
      ['flag', 'meaning'],
      globalFlags.map((flag) => [inCode(flagWords(flag)), flagMeaning(flag)]),
    ),
    'No flag takes a secret directly, because other users of the machine can see command lines.',
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
