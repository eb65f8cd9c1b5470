import { describe, expect, it } from 'vitest'
import { CommandFailure } from './command.ts'
import { commandGroups, commands } from './commands.ts'
import { complete } from './completion.ts'
import { readMappingKeys } from './connect.ts'
import { familyHelp, generalHelp, helpFor, topicHelp } from './help.ts'
import { cliPage } from './help-page.ts'
import { families, familyOf } from './help-words.ts'
import { globalFlags, parse } from './parse.ts'
import { pull } from './pull.ts'

const failure = (...words: string[]): CommandFailure => {
  try {
    parse(words, commands)
  } catch (error) {
    if (error instanceof CommandFailure) return error
  }
  throw new Error(`${words.join(' ')} was understood`)
}

describe('words', () => {
  it('become a command with arguments, flags and defaults, wherever the flags stand', () => {
    expect(parse(['--url', 'http://h', 'pull', '--out=a.csv', 'acc', 'product', '-q'], commands)).toMatchObject({
      kind: 'run',
      command: { name: 'pull' },
      arguments: { account: 'acc', entity: 'product' },
      flags: { url: 'http://h', out: 'a.csv', format: 'ndjson', quiet: true },
    })
    expect(parse(['sandbox', 'fault', 'clear'], commands)).toMatchObject({
      command: { name: 'sandbox fault clear' },
      arguments: {},
    })
  })
  it('of several that are no command name the nearest one', () => {
    expect(failure('pul').message).toContain('did you mean pull?')
    expect(failure('accounts', 'lst').message).toContain('did you mean accounts list?')
    expect(failure('xyzzy').message).not.toContain('did you mean')
    expect(failure('xyzzy').exitCode).toBe(2)
  })
  it('that are no flag, no value or too many are refused with what would be right', () => {
    expect(failure('pull', 'a', 'product', '--fromat', 'csv').message).toContain('did you mean --format?')
    expect(failure('pull', 'a', 'product', '--format', 'xml').message).toContain('--format is one of ndjson, csv')
    expect(failure('pull', 'a', 'product', '--out').message).toContain('--out needs a value: --out FILE')
    expect(failure('pull', 'a', 'product', '--json=1').message).toContain('--json takes no value')
    expect(failure('pull', 'a', 'products').message).toContain('did you mean product?')
    expect(failure('get', 'a', 'product', '--limt', '3').message).toContain('did you mean --limit?')
    expect(failure('accounts', '--foo').message).toBe('accounts has no --foo\nSee: unirec accounts --help')
    expect(failure('--jsn').message).toBe('unirec has no --jsn; did you mean --json?\nSee: unirec --help')
    expect(failure('accounts', '-x').exitCode).toBe(2)
    expect(failure('pull', 'a').message).toContain('pull needs <entity>')
    expect(failure('pull', 'a', 'product', 'b').message).toContain('"b"')
  })
  it('ask for help in every way people ask', () => {
    for (const words of [
      ['pull', '--help'],
      ['help', 'pull'],
      ['pull', 'a', '-h'],
    ])
      expect(parse(words, commands)).toMatchObject({ kind: 'help', command: { name: 'pull' } })
    for (const words of [[], ['--help'], ['help'], ['--foo', '--help']])
      expect(parse(words, commands)).toEqual({ kind: 'help' })
    for (const words of [['accounts'], ['help', 'accounts'], ['accounts', '-h']])
      expect(parse(words, commands)).toEqual({ kind: 'help', family: 'accounts' })
    expect(parse(['help', 'exit-codes'], commands)).toMatchObject({ kind: 'help', topic: 'exit-codes' })
    expect(failure('help', 'acounts').message).toContain('did you mean accounts?')
    for (const words of [['--version'], ['serve', '--version']])
      expect(parse(words, commands)).toEqual({ kind: 'version' })
  })
})

it('help and page name every command, argument and flag there is', () => {
  const page = cliPage(commandGroups, '')
  const general = generalHelp()
  for (const command of commands) {
    const family = familyOf(command)
    expect(general).toMatch(new RegExp(`^ {2}${family ?? command.name} `, 'm'))
    if (family) expect(familyHelp(family)).toContain(`  ${command.name}`)
    expect(page).toContain(`### ${command.name}\n`)
    for (const { name } of [...command.flags, ...globalFlags])
      for (const text of [page, helpFor(command)]) expect(text).toContain(`--${name}`)
  }
  for (const { name } of globalFlags) expect(topicHelp.flags()).toContain(`--${name}`)
})

it('no line of the help is longer than 80 columns, and examples come first', () => {
  const named = new Set(commands.flatMap((command) => familyOf(command) ?? []))
  expect(Object.keys(families).sort()).toEqual([...named].sort())
  const texts = [
    generalHelp(),
    ...Object.values(topicHelp).map((text) => text()),
    ...[...named].map((family) => familyHelp(family)),
    ...commands.map((command) => helpFor(command)),
  ]
  expect(texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 80)).toEqual([])
  expect(helpFor(pull)).toMatch(/^Read all records.*\.\n\nExamples:\n {2}unirec pull /)
  // What is copied to a shell is the declared example.
  for (const { examples = [], ...command } of commands)
    for (const example of examples)
      expect(helpFor({ ...command, examples }).replaceAll(/ \\\n +/g, ' ')).toContain(`  ${example}\n`)
})

it('no two commands begin alike, and no flag has a name or letter that is taken', () => {
  for (const { name, flags } of commands) {
    expect(commands.filter((other) => other.name === name || other.name.startsWith(`${name} `))).toHaveLength(1)
    const taken = [...globalFlags, ...flags].flatMap(({ name: flag, short }) => [
      `--${flag}`,
      ...(short ? [`-${short}`] : []),
    ])
    expect(new Set(taken).size).toBe(taken.length)
  }
})

describe('completion', () => {
  const offered = (...words: string[]) =>
    complete(words, commands, { account: () => ['sandbox-square-restaurant'], profile: () => ['staging'] })
  it('offers commands, their parts, accounts, entities, choices, flags and files where they belong', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['pull', 'push', 'accounts', 'sandbox', 'doctor']))
    expect(offered('sandbox', '')).toEqual(['fault'])
    expect(offered('sandbox', 'fault', '')).toEqual(['list', 'set', 'clear'])
    expect(offered('pull', '')).toEqual(['sandbox-square-restaurant'])
    expect(offered('pull', 'a', 'pro')).toContain('product')
    expect(offered('pull', 'a', 'product', '--format', '')).toEqual(['ndjson', 'csv'])
    expect(offered('pull', '--url', 'http://h', '')).toEqual(['sandbox-square-restaurant'])
    expect(offered('pull', '--')).toEqual(expect.arrayContaining(['--updated-after', '--json']))
    expect(offered('push', 'a', 'product', '')).toEqual([':files'])
    expect(offered('pull', '--profile', '')).toEqual(['staging'])
    expect(offered('profiles', 'use', '')).toEqual(['staging'])
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })
})

it('mapping keys are read from one variable', () => {
  expect(readMappingKeys('a=urmr_1/urmw_1, b=urmr_2,c=/urmw_3')).toEqual({
    a: { read: 'urmr_1', write: 'urmw_1' },
    b: { read: 'urmr_2' },
    c: { write: 'urmw_3' },
  })
  expect(readMappingKeys(undefined)).toEqual({})
  expect(() => readMappingKeys('urmr_1')).toThrow('ACCOUNT=READ/WRITE')
})
