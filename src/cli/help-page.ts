// docs/cli.md, generated from the declarations.
import type { Command, CommandGroup } from './command.ts'
import {
  argumentMeaning,
  argumentWords,
  environment,
  exits,
  flagMeaning,
  flagWords,
  usageLine,
  whereFrom,
} from './help-words.ts'
import { globalFlags } from './parse.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')
const tableOf = (head: readonly [string, string], rows: readonly (readonly [string, string])[]) =>
  [
    `| ${head[0]} | ${head[1]} |`,
    '|---|---|',
    ...rows.map(([left, right]) => `| ${cell(left)} | ${cell(right)} |`),
  ].join('\n')
const inCode = (text: string) => `\`${text}\``

export function cliPage(groups: readonly CommandGroup[], made: string): string {
  const sectionOf = (command: Command) => {
    const rows = [
      ...command.arguments.map((argument) => [inCode(argumentWords(argument)), argumentMeaning(argument)] as const),
      ...command.flags.map((flag) => [inCode(flagWords(flag)), flagMeaning(flag)] as const),
    ]
    return [
      `### ${command.name}`,
      `${command.summary}.`,
      `\`\`\`\n${[usageLine(command), ...(command.examples ? ['', ...command.examples] : [])].join('\n')}\n\`\`\``,
      ...(rows.length > 0 ? [tableOf(['', 'meaning'], rows)] : []),
    ].join('\n\n')
  }
  return `${[
    '# The command line `unirec`',
    made,
    'In a checkout, run `npx unirec …` or `node bin/unirec.mjs …`. On a Node.js older than 24, npx warns once (`EBADENGINE`); the command itself runs on the Node.js 26 that `npm start` installed. With a running sandbox, no configuration is needed.',
    whereFrom.replaceAll(/--[a-z-]+|DATA_DIR\/sandbox\.json|unirec login/g, inCode),
    'Records and results go to standard output. Progress and notes go to standard error: on a terminal one line that is drawn again, otherwise a plain line every few seconds, with `--json` JSON lines. It has count, rate and rate-limit waits. Where the total is known, it also has a bar, the share and the remaining time: `push` counts the records of a file (not of a pipe), `pull`, `migrate` and `diff` take the number of records of a [watched](#watch-set) entity, and the comparison after a migration knows what was read before. Lists of platforms have no total. Shell completion: see [completion](#completion).',
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
    ...groups.flatMap(({ title, commands }) => [`## ${title}`, ...commands.map(sectionOf)]),
  ].join('\n\n')}\n`
}
