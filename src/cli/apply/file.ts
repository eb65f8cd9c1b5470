// Reads a configuration file. Everything that is wrong with it is reported at once, each fault with its line.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
  type YAMLWarning,
} from 'yaml'
import { stepsOf, valueAt } from '../../contract/pointer.ts'
import { createValidator } from '../../contract/validation.ts'
import { type EndpointRules, eventFault, urlFault } from '../../deliveries/endpoint-faults.ts'
import { eventPatterns } from '../../deliveries/event-types.ts'
import { CommandFailure, exitCodes, type Invocation, unreadable } from '../command.ts'
import { member } from './path.ts'
import { type Configuration, configuration } from './schema.ts'

/** Of the file, by a JSON pointer. */
export interface Fault {
  pointer: string
  message: string
}
export interface ConfigurationFile {
  content: Configuration
  /** A path in the file is relative to its folder. */
  pathOf(path: string): string
  /** `unirec.yaml:12:7 workspaces[0].name`. */
  where(pointer: string): string
  offset(pointer: string): number
}

export async function readConfiguration(
  name: string,
  { input }: Pick<Invocation, 'input'>,
): Promise<ConfigurationFile> {
  const shown = name === '-' ? 'standard input' : name
  const source = name === '-' ? await readAll(input) : readText(name)
  const lines = new LineCounter()
  // A pretty error of the parser would quote lines, which may have a secret.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${shown}:${line}:${col}`
  }
  const problems = [...document.errors, ...document.warnings].sort((one, other) => one.pos[0] - other.pos[0])
  if (problems.length > 0)
    throw new CommandFailure(exitCodes.usage, problems.map((one) => `${at(one.pos[0])} ${parserWords(one)}`).join('\n'))
  const offset = (pointer: string) => offsetOf(document, stepsOf(pointer))
  const where = (pointer: string) => {
    const path = stepsOf(pointer).reduce(member, '')
    return [at(offset(pointer)), ...(path === '' ? [] : [path])].join(' ')
  }
  const content = contentOf(document, shown)
  const file = { where, offset, content: content as Configuration, pathOf: (path: string) => join(dirname(name), path) }
  const faults = createValidator(configuration).violations(content ?? {})
  refuseFaults(file, [
    ...faults.map((fault) => worded(fault, content)),
    ...(faults.length === 0 ? faultsBeyondSchema(content as Configuration) : []),
  ])
  return file
}

/** In the order of the file. */
export function refuseFaults(
  { where, offset }: Pick<ConfigurationFile, 'where' | 'offset'>,
  faults: readonly Fault[],
): void {
  if (faults.length > 0)
    throw new CommandFailure(
      exitCodes.usage,
      [
        ...faults
          .toSorted((one, other) => offset(one.pointer) - offset(other.pointer))
          .map(({ pointer, message }) => `${where(pointer)} ${message}`),
        'nothing was changed: correct the file, and run unirec apply again',
      ].join('\n'),
    )
}

function readText(name: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    throw unreadable(name, error, '. Name the file with --file, or write one with unirec export')
  }
}
/** Without what it quotes of the file. */
const parserWords = ({ code, message }: YAMLError | YAMLWarning): string =>
  code === 'MULTIPLE_DOCS'
    ? 'begins a second document; keep one in the file'
    : `is not YAML: ${message.replace(/: .*/s, '').split('\n')[0]}`

function contentOf(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new CommandFailure(exitCodes.usage, `${name} cannot be read: ${(error as Error).message}`)
  }
}

/** Where the value of the last step that exists begins; of a member, its name. */
function offsetOf(document: Document.Parsed, steps: readonly string[]): number {
  const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node)
  let node: unknown = document.contents
  let offset = document.contents?.range[0] ?? 0
  for (const step of steps) {
    const container = resolved(node)
    const next = isMap(container)
      ? container.items.find(({ key }) => String((key as { value?: unknown } | null)?.value) === step)
      : isSeq(container)
        ? container.items[Number(step)]
        : undefined
    if (next === undefined) return offset
    const shown = (isPair(next) ? next.key : next) as Node
    offset = shown.range?.[0] ?? offset
    node = isPair(next) ? next.value : next
  }
  return offset
}

/** Never with the value: it may be a secret. */
function worded({ pointer, message }: Fault, content: unknown): Fault {
  if (pointer.endsWith('/clientSecret') && valueAt(content, pointer) !== undefined)
    return {
      pointer,
      message: 'must not be in the file. Name where it is: { env: NAME } or { file: PATH }; then replace the secret',
    }
  if (pointer === '/version') return { pointer, message: 'must be 1, the version of this format' }
  return { pointer, message }
}

/** Its hosts are not known yet. */
const anyService: EndpointRules = { sandbox: true, egress: { check: () => {} } }

function faultsBeyondSchema({ workspaces }: Configuration): Fault[] {
  const faults: Fault[] = []
  const add = (pointer: string, message: string) => void faults.push({ pointer, message })
  const distinct = <T>(list: readonly T[] | undefined, pointer: string, identity: (entry: T) => unknown) => {
    const seen = new Map<string, number>()
    for (const [index, entry] of (list ?? []).entries()) {
      const key = JSON.stringify(identity(entry))
      const first = seen.get(key)
      if (first === undefined) seen.set(key, index)
      else add(`${pointer}/${index}`, `has the same name as entry ${first}. Remove one, or name them differently`)
    }
  }
  distinct(workspaces, '/workspaces', ({ id, name }) => id ?? name)
  for (const [index, workspace] of workspaces.entries()) {
    const base = `/workspaces/${index}`
    for (const [platform, { clientSecret }] of Object.entries(workspace.platformApps ?? {}))
      if ((clientSecret.env === undefined) === (clientSecret.file === undefined))
        add(`${base}/platformApps/${platform}/clientSecret`, 'must have either env or file')
    for (const [position, { url, events }] of (workspace.webhookEndpoints ?? []).entries()) {
      const pointer = `${base}/webhookEndpoints/${position}`
      const fault = urlFault(url, anyService)
      if (fault !== undefined) add(`${pointer}/url`, fault)
      for (const [at, event] of events.entries())
        if (!eventPatterns.includes(event)) add(`${pointer}/events/${at}`, eventFault(event))
    }
    distinct(workspace.apiKeys, `${base}/apiKeys`, ({ id, name }) => id ?? name)
    distinct(workspace.accessIds, `${base}/accessIds`, ({ id, name }) => id ?? name)
    distinct(workspace.webhookEndpoints, `${base}/webhookEndpoints`, ({ id, url }) => id ?? url)
    const accounts = Object.entries(workspace.accounts ?? {}).map(([name, own]) => ({
      ...own,
      pointer: `${base}/accounts/${name}`,
    }))
    for (const { mappings, mappingDefaults, pointer } of [{ ...workspace, pointer: base }, ...accounts]) {
      distinct<{ id?: string; platform?: string; name: string; entityType: string; direction: string }>(
        mappings,
        `${pointer}/mappings`,
        ({ id, platform, name, entityType, direction }) => id ?? [platform, name, entityType, direction],
      )
      distinct<{ platform?: string; entityType: string; direction: string }>(
        mappingDefaults,
        `${pointer}/mappingDefaults`,
        ({ platform, entityType, direction }) => [platform, entityType, direction],
      )
    }
  }
  return faults
}
