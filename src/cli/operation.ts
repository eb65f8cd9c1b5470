// Commands that are one operation of the management API. Their declaration names the operation; what a flag takes and
// means comes from its schema, and the response is typed by it.

import type { ManageOperations } from '../../packages/client/src/generated/manage.ts'
import {
  type ManageAnswer,
  type ManageBody,
  type ManageItem,
  type ManageList,
  type ManageOperation,
  type ManageParameters,
  pathNames,
} from '../../packages/client/src/manage-call.ts'
import { type Argument, type Command, exitCodes, type Invocation } from './command.ts'
import { managed } from './connect.ts'
import { listIn, numberIn, textIn } from './flag-values.ts'
import { firstPage, listAll } from './manage.ts'
import { type FlagWords, fieldOf, flagOf, hasBody, type OperationField } from './operation-field.ts'
import { inline } from './printable.ts'
import { showTable } from './table.ts'

type PathName<K extends ManageOperation> = ManageOperations[K] extends { path: infer Name extends string }
  ? Name
  : never
type QueryName<K extends ManageOperation> = ManageOperations[K] extends { query: infer Query } ? keyof Query : never
type FieldName<K extends ManageOperation> = Extract<keyof ManageBody<K> | QueryName<K>, string>

type Given = Pick<Invocation, 'arguments' | 'flags'>
export type Flags<K extends ManageOperation> = { readonly [Name in FieldName<K>]?: FlagWords }
type Arguments<K extends ManageOperation> = {
  readonly [Name in PathName<K> | FieldName<K> | 'workspaceId']?: Omit<Argument, 'field'>
}
interface Declaration<K extends ManageOperation> {
  operation: K
  name: string
  summary: string
  /** By the name that they have in the request, in their order. */
  arguments?: Arguments<K>
  flags?: Flags<K>
  examples?: readonly string[]
  /** Refuses what no schema refuses, before anything is sent. */
  check?(given: Given): void
}
/** For people: `lines` are the result, the note is about it. */
interface Shown {
  lines?: readonly string[]
  note?: string
  failed?: boolean
}

interface OperationCommand<K extends ManageOperation> extends Declaration<K> {
  /** Sent where nothing is given. */
  otherwise?: Partial<ManageBody<K>>
  show(answer: ManageAnswer<K>, given: Given): Shown
  /** Instead of the answer, with --json. */
  json?(given: Given): object
}
/** A command that is one operation. */
export function command<K extends ManageOperation>(declaration: OperationCommand<K>): Command {
  const { operation, name, summary, examples, check, otherwise, show, json } = declaration
  const declared = declare(declaration)
  return {
    name,
    summary,
    ...declared,
    ...(examples ? { examples } : {}),
    async run({ output, connect, ...given }) {
      check?.(given)
      const parameters = requestOf(operation, declared, given, otherwise)
      const answer = await managed(await connect()).call(operation, ...parameters)
      const shown = show(answer, given)
      print(output, json?.(given) ?? answer, shown)
      return shown.failed ? exitCodes.failed : exitCodes.ok
    },
  }
}

/** Prints a result for a program or for people. */
export function print(
  output: Invocation['output'],
  answer: object | string | undefined,
  { lines = [], note }: Shown,
): void {
  if (output.json) {
    if (answer) output.line(JSON.stringify(answer))
    return
  }
  for (const line of lines) output.line(inline(line))
  if (note !== undefined) output.note(note)
}

type Cell = string | number | undefined
interface ListCommand<K extends ManageList> extends Declaration<K> {
  columns: Readonly<Record<string, (item: ManageItem<K>) => Cell>>
  /** Said if there is nothing. */
  none: string
  /** Only the first page, which is the newest one. */
  onePage?: boolean
}
/** A command that lists everything of one operation. */
export function listCommand<K extends ManageList>(declaration: ListCommand<K>): Command {
  const { operation, name, summary, examples, check, onePage, columns, none } = declaration
  const declared = declare(declaration)
  return {
    name,
    summary,
    ...declared,
    ...(examples ? { examples } : {}),
    async run({ output, connect, ...given }) {
      check?.(given)
      const parameters = requestOf(operation, declared, given)
      const manage = managed(await connect())
      const items = onePage ? firstPage(manage, operation, ...parameters) : listAll(manage, operation, ...parameters)
      await showList(output, items, columns, none)
      return exitCodes.ok
    },
  }
}
export async function showList<Item>(
  output: Invocation['output'],
  items: AsyncIterable<Item>,
  columns: Readonly<Record<string, (item: Item) => Cell>>,
  none: string,
): Promise<void> {
  const rows: Cell[][] = []
  for await (const item of items)
    if (output.json) output.line(JSON.stringify(item))
    else rows.push(Object.values(columns).map((cell) => cell(item)))
  if (rows.length > 0) showTable(output, Object.keys(columns), rows)
  else if (!output.json) output.note(none)
}

type Declared = Pick<Command, 'arguments' | 'flags'>
const declare = <K extends ManageOperation>({
  operation,
  arguments: args = {},
  flags = {},
}: Declaration<K>): Declared => ({
  arguments: Object.entries(args as Record<string, Omit<Argument, 'field'>>).map(([field, argument]) => ({
    field,
    ...argument,
  })),
  flags: flagsOf(operation, flags),
})
export const flagsOf = <K extends ManageOperation>(operation: K, flags: Flags<K>) =>
  Object.entries(flags as Record<string, FlagWords>).map(([field, words]) => flagOf(operation, field, words))

/** What was typed, as the operation takes it. Of what was not given, nothing is sent. */
export function requestOf<K extends ManageOperation>(
  operation: K,
  declared: Declared,
  { arguments: args, flags }: Given,
  otherwise: Partial<ManageBody<K>> = {},
): ManageParameters<K> {
  const inPath = pathNames(operation)
  const request: Record<OperationField['at'] | 'path', Record<string, unknown>> = {
    path: {},
    query: {},
    body: { ...otherwise },
  }
  const typed = [
    ...declared.arguments.map((one) => ({ ...one, value: args[one.name] })),
    ...declared.flags.map((one) => ({ ...one, value: flags[one.name] })),
  ]
  for (const { field = '', name, value } of typed) {
    if (value === undefined || field === 'workspaceId') continue
    if (inPath.includes(field)) request.path[field] = value
    else {
      const { at, type } = fieldOf(operation, field)
      request[at][field] = readers[type](value, name)
    }
  }
  const workspace = typed.find(({ field }) => field === 'workspaceId')?.value
  const { body, ...rest } = request
  // The declaration names only what the request has, and its schema says of what type that is.
  return [{ ...rest, workspace, ...(hasBody(operation) ? { body } : {}) }] as unknown as ManageParameters<K>
}
type Value = Given['flags'][string]
const readers: Readonly<Record<OperationField['type'], (value: Value, name: string) => unknown>> = {
  text: (value) => (value === true ? true : textIn(value)),
  object: textIn,
  list: listIn,
  number: (value, name) => numberIn({ [name]: value }, { name }),
  boolean: (value) => value === true || value === 'on',
}
