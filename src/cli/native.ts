// unirec native: a call of the platform's own API.
import type { NativeCall } from '../../packages/client/src/index.ts'
import { nativeMethods } from '../contract/native-call.ts'
import { accountArgument } from './account-argument.ts'
import { type Command, CommandFailure, exitCodes, type Invocation } from './command.ts'
import { textIn } from './flag-values.ts'
import { printable } from './printable.ts'
import { readText } from './record-stream.ts'

type Flags = Invocation['flags']

export const nativeCommand: Command = {
  name: 'native',
  summary: "Make a call of the platform's own API",
  arguments: [
    accountArgument,
    { name: 'method', field: 'method', description: 'HTTP method', choices: nativeMethods },
    { name: 'path', field: 'path', description: 'Path without host and query; {name} is a setting of the account' },
  ],
  flags: [
    {
      name: 'query',
      field: 'query',
      type: 'string',
      value: 'TEXT',
      description: 'Query parameters, such as limit=2&sort_order=ASC',
    },
    {
      name: 'headers',
      field: 'headers',
      type: 'string',
      value: 'JSON',
      description: `Request headers as a JSON object, such as '{"if-match":"7"}'`,
    },
    { name: 'body', field: 'body', type: 'string', value: 'FILE', description: 'JSON body; - for standard input' },
    {
      name: 'external-id',
      field: 'externalId',
      type: 'string',
      value: 'ID',
      description: 'Idempotency key; required for POST, PUT, PATCH and DELETE, which are sent once',
    },
  ],
  examples: [
    'unirec native sandbox-square-restaurant GET /v2/locations',
    'unirec native sandbox-square-restaurant GET /v2/customers --query limit=2',
    'unirec native sandbox-square-restaurant POST /v2/customers --body customer.json --external-id C-1',
  ],
  async run({ arguments: { account = '', method = 'GET', path = '' }, flags, output, input, signal, connect }) {
    const call: NativeCall = {
      method: method as NativeCall['method'],
      path,
      query: queryIn(flags),
      headers: textIn(flags.headers) === undefined ? undefined : (json(flags.headers as string, '--headers') as never),
      body: textIn(flags.body) === undefined ? undefined : json(await readText(flags.body as string, input), '--body'),
      externalId: textIn(flags['external-id']),
    }
    const { client } = await connect()
    const answer = await client.account(account).native(call, { signal, wait: 60 })
    const { status, body, reference } = answer
    await output.data(
      `${printable(JSON.stringify(output.json ? answer : (body ?? null), null, output.json ? 0 : 2))}\n`,
    )
    if (!output.json) output.note(`status ${status}${reference?.replayed ? ' (the stored response)' : ''}`)
    return status < 400 ? exitCodes.ok : exitCodes.failed
  },
}

function queryIn(flags: Flags): NativeCall['query'] {
  const text = textIn(flags.query)
  if (text === undefined) return undefined
  const unnamed = text.split('&').find((part) => !/^[^=]+=/.test(part))
  if (unnamed !== undefined)
    throw new CommandFailure(
      exitCodes.usage,
      `--query takes name=value, several separated by &, such as limit=2&sort_order=ASC, not "${unnamed}"`,
    )
  const query: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(query, name) ? [query[name] as string | string[]].flat() : undefined
    Object.defineProperty(query, name, { value: before ? [...before, value] : value, enumerable: true, writable: true })
  }
  return query
}
function json(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(exitCodes.usage, `${flag} is not JSON: ${(error as Error).message}`)
  }
}
