// The help on a terminal, generated from the declarations. No line is longer than 80 columns.
import type { Command, CommandGroup } from './command.ts'
import { commandGroups } from './commands.ts'
import {
  argumentMeaning,
  argumentWords,
  environment,
  exits,
  families,
  familyOf,
  flagMeaning,
  flagWords,
  usageLine,
  whereFrom,
} from './help-words.ts'
import { globalFlags, type HelpTopic } from './parse.ts'

const LINE = 80
const FIRST_COLUMN = 26
/** Breaks at spaces and after `|`. Lines after the first are indented. */
function wrap(text: string, indent: number, breaks = /(?<=[ |])/, ending = ''): string {
  const lines = ['']
  for (const piece of text.split(breaks)) {
    const longer = lines.at(-1) + piece
    if (indent + longer.trimEnd().length + ending.length <= LINE) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines.map((line) => line.trimEnd()).join(`${ending}\n${' '.repeat(indent)}`)
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

/** A long one goes on after a backslash, before a flag or a pipe, so that it can be copied to a shell. */
const exampleLine = (example: string) => `  ${wrap(example, 4, /(?<= )(?=--|\| )/, ' \\')}`
const examplesOf = (examples: readonly string[] = []) =>
  examples.length > 0 ? [`Examples:\n${examples.map(exampleLine).join('\n')}`] : []

/** `typed`: the name of a program that is this command. */
export function helpFor(command: Command, typed = `unirec ${command.name}`): string {
  const argumentRows = command.arguments.map(
    (argument) => [argumentWords(argument), argumentMeaning(argument)] as const,
  )
  const flagRows = command.flags.map((flag) => [flagWords(flag), flagMeaning(flag)] as const)
  const names = globalFlags.map(({ name }) => `--${name}`).join(' ')
  return [
    wrap(`${command.summary}.`, 0),
    ...examplesOf(command.examples?.map((example) => example.replace(`unirec ${command.name}`, typed))),
    `Usage: ${wrap(usageLine(command, typed), 7)}`,
    ...(argumentRows.length > 0 ? [`Arguments:\n${columns(argumentRows)}`] : []),
    ...(flagRows.length > 0 ? [`Flags:\n${columns(flagRows)}`] : []),
    `Global flags (unirec help flags):\n  ${wrap(names, 2)}`,
  ].join('\n\n')
}

const commandRow = (command: Command) =>
  [
    [command.name, ...command.arguments.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`))].join(' '),
    command.summary,
  ] as const

/** The commands that begin with the same word. */
export function familyHelp(family: string, all: readonly CommandGroup[] = commandGroups): string {
  const members = all.flatMap(({ commands }) => commands.filter((command) => familyOf(command) === family))
  return [
    `${families[family]}.`,
    ...examplesOf(members.flatMap(({ examples = [] }) => examples.slice(0, 1)).slice(0, 3)),
    `Usage: unirec ${family} <command> [flags]`,
    `Commands:\n${columns(members.map(commandRow))}`,
    `Run unirec ${family} <command> --help for its flags.`,
  ].join('\n\n')
}

/** Commands that begin with the same word are one row. */
function rowsOf({ commands }: CommandGroup): (readonly [string, string])[] {
  const rows = new Map<string, string>()
  for (const command of commands) {
    const family = familyOf(command)
    if (family === undefined) rows.set(command.name, command.summary)
    else {
      const before = rows.get(family)
      const word = command.name.slice(family.length + 1)
      rows.set(family, before === undefined ? `${families[family]}: ${word}` : `${before}, ${word}`)
    }
  }
  return [...rows]
}

const firstExamples = [
  'unirec serve',
  'unirec login --url https://records.example.com',
  'unirec accounts list',
  'unirec pull sandbox-square-restaurant product --out products.ndjson',
  'unirec push sandbox-square-restaurant customer customers.csv',
]
export function generalHelp(groups: readonly CommandGroup[] = commandGroups): string {
  const width = Math.max(...groups.flatMap((group) => rowsOf(group).map(([left]) => left.length)))
  return [
    'One API in front of restaurant, retail and accounting platforms.',
    ...examplesOf(firstExamples),
    'Usage: unirec <command> [flags]',
    ...groups.map((group) => {
      const rows = rowsOf(group).map(([left, right]) => [left.padEnd(width), right] as const)
      return `${group.title}:\n${columns(rows)}`
    }),
    `More help:\n${columns([
      ['unirec <command> --help', 'examples, arguments and flags of a command'],
      ['unirec help flags', 'flags that every command takes'],
      ['unirec help environment', 'variables, and where URL and credentials come from'],
      ['unirec help exit-codes', 'exit codes for scripts'],
    ])}`,
  ].join('\n\n')
}

const plain = (text: string) => text.replaceAll('`', '')
export const topicHelp: Readonly<Record<HelpTopic, () => string>> = {
  flags: () =>
    `Flags that every command takes:\n${columns(globalFlags.map((flag) => [flagWords(flag), flagMeaning(flag)]))}`,
  environment: () =>
    [`Environment:\n${columns(environment.map(([name, meaning]) => [name, plain(meaning)]))}`, wrap(whereFrom, 0)].join(
      '\n\n',
    ),
  'exit-codes': () => `Exit codes:\n${columns(exits.map(([code, meaning]) => [String(code), plain(meaning)]))}`,
}
