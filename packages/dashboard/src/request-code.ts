// A request of the records API as a program to copy. The key comes from the environment, as in the guides: no secret is
// ever part of the text.

/** As a caller sends it. */
export interface CallerRequest {
  method: string
  /** With the query, in form A or B. */
  path: string
  body?: unknown
  ifMatch?: string | undefined
}
export const languages = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]
export interface RequestCode {
  /** What is copied. */
  text: string
  /** The part that differs between requests, on one line. */
  line: string
  /** Environment variables that it reads. */
  variables: readonly string[]
}

/** A method of a client, with what it is given. */
interface ClientCall {
  of: 'account' | 'entity'
  method: string
  given: readonly unknown[]
  options: Options
}
type Options = Record<string, unknown>
interface Address {
  accountId: string
  rest: readonly string[]
  mappingKey: string | undefined
  query: URLSearchParams
}

const pathOfRecords = /^(\/api\/[\d.]+\/[\w-]+)?\/unified\/([^?]*)(?:\?(.*))?$/
function addressOf(path: string): Address | undefined {
  const [, formB, place, text = ''] = pathOfRecords.exec(path) ?? []
  const [accountId, ...rest] = place?.split('/').map(decodeURIComponent) ?? []
  if (!accountId || rest.length > 2) return undefined
  const query = new URLSearchParams(text)
  const mappingKey = query.get('mappingKey') ?? ''
  query.delete('mappingKey')
  return { accountId, rest, mappingKey: formB ? mappingKey : undefined, query }
}

/** Undefined if it is not a request of the records API, or if what is known of it is not all of it. */
export function codeOf(language: Language, request: CallerRequest, url: string): RequestCode | undefined {
  const address = addressOf(request.path)
  if (!address || address.query.has('…') || request.path.includes('•••')) return undefined
  const call = clientCall(request, address)
  if (!call) return undefined
  if (language === 'curl') return curl(request, address, url)
  return language === 'TypeScript' ? typescript(call, address, url) : python(call, address, url)
}

function clientCall({ method, body, ifMatch }: CallerRequest, { rest, query }: Address): ClientCall | undefined {
  const [entity, id] = rest
  const options: Options = Object.fromEntries([...query].map(([name, text]) => [name, optionOf(name, text)]))
  if (entity === undefined) return { of: 'account', method: 'describe', given: [], options: {} }
  if (entity === 'native') return { of: 'account', method: 'native', given: [body], options: {} }
  if (entity === 'changes')
    return id === 'status'
      ? { of: 'account', method: 'changesStatus', given: [], options: {} }
      : { of: 'account', method: 'changes', given: [], options: { ...changesOptions(options), follow: false } }
  const of = 'entity'
  if (method === 'POST') return { of, method: 'create', given: [body], options }
  if (id === undefined) {
    const { externalId, ...others } = options
    return externalId === undefined
      ? { of, method: 'list', given: [], options }
      : { of, method: 'findByExternalId', given: [externalId], options: others }
  }
  return method === 'PUT'
    ? { of, method: 'update', given: [id, body], options: { ...options, ifMatch } }
    : { of, method: 'get', given: [id], options }
}
const changesOptions = ({ entityType, ...others }: Options): Options =>
  entityType === undefined ? others : { entityTypes: entityType, ...others }
const optionOf = (name: string, text: string): unknown => {
  if (name === 'pageSize') return Number(text)
  if (text === 'true') return true
  return name === 'fields' || name === 'entityType' ? text.split(',') : text
}

function curl({ method, path, body, ifMatch }: CallerRequest, { mappingKey }: Address, url: string): RequestCode {
  const variable = mappingKey === undefined ? 'UNIREC_API_KEY' : 'UNIREC_ACCESS_TOKEN'
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url + path)}`,
    `-H "authorization: Bearer $${variable}"`,
    ...(ifMatch === undefined ? [] : [`-H ${quoted(`if-match: ${ifMatch}`)}`]),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return { text: parts.join(' \\\n  '), line: parts.join(' '), variables: [variable] }
}
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const variablesOf = ({ mappingKey }: Address) =>
  mappingKey === undefined ? ['UNIREC_API_KEY'] : ['UNIREC_ACCESS_ID', 'UNIREC_ACCESS_SECRET']
const isWrite = ({ method }: ClientCall) => ['create', 'update', 'native'].includes(method)

function typescript(call: ClientCall, address: Address, url: string): RequestCode {
  const { accountId, rest, mappingKey } = address
  const variables = variablesOf(address)
  const credentials = variables.map((name) => `${camelCase(name)}: process.env.${name}`)
  const keys = mappingKey === undefined ? [] : [{ [isWrite(call) ? 'writeMappingKey' : 'readMappingKey']: mappingKey }]
  const subject = call.of === 'account' ? 'account' : `account.${rest[0]}`
  const written = (indent: number) => {
    const options = Object.values(call.options).some((value) => value !== undefined) ? [call.options] : []
    return `${subject}.${call.method}(${[...call.given, ...options].map((one) => literal(one, typescriptStyle, indent)).join(', ')})`
  }
  const streams = call.method === 'changes'
  return {
    text: [
      "import { createClient } from '@unified-records/client'",
      '',
      `const client = createClient({ url: ${typescriptStyle.text(url)}, ${credentials.join(', ')} })`,
      `const account = client.account(${[accountId, ...keys].map((one) => literal(one, typescriptStyle, Infinity)).join(', ')})`,
      streams
        ? `for await (const change of ${written(0)}) console.log(change)`
        : `const response = await ${written(0)}`,
      ...(streams ? [] : ['console.log(JSON.stringify(response, null, 2))']),
      '',
    ].join('\n'),
    line: `${streams ? '' : 'await '}${written(Infinity)}`,
    variables,
  }
}
const camelCase = (variable: string) =>
  variable
    .replace('UNIREC_', '')
    .toLowerCase()
    .replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())

function python(call: ClientCall, address: Address, url: string): RequestCode {
  const { accountId, rest, mappingKey } = address
  const variables = variablesOf(address)
  const credentials = variables.map((name) => `${name.replace('UNIREC_', '').toLowerCase()}=os.environ["${name}"]`)
  const keys =
    mappingKey === undefined
      ? ''
      : `, ${isWrite(call) ? 'write' : 'read'}_mapping_key=${literal(mappingKey, pythonStyle, Infinity)}`
  const { method, given, options } = pythonCall(call)
  const subject = call.of === 'account' ? 'account' : `account.${rest[0]}`
  const written = (indent: number) =>
    `${subject}.${method}(${[
      ...given.map((one) => literal(one, pythonStyle, indent)),
      ...Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [`${snakeCase(name)}=${literal(value, pythonStyle, indent)}`],
      ),
    ].join(', ')})${method === 'list' ? '.page()' : ''}`
  const streams = method === 'changes'
  return {
    text: [
      'import os',
      'from unified_records import Client',
      '',
      `client = Client(${[pythonStyle.text(url), ...credentials].join(', ')})`,
      `account = client.account(${literal(accountId, pythonStyle, Infinity)}${keys})`,
      ...(streams ? [`for change in ${written(0)}:`, '    print(change)'] : [`response = ${written(0)}`]),
      ...(streams ? [] : ['print(response)']),
      '',
    ].join('\n'),
    line: written(Infinity),
    variables,
  }
}
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** Where the Python client differs from the TypeScript client by more than its style of names. */
function pythonCall({ method, given, options }: ClientCall): Pick<ClientCall, 'method' | 'given' | 'options'> {
  if (method === 'native') {
    const { method: verb, path, ...others } = given[0] as Options
    return { method, given: [verb, path], options: others }
  }
  if (options.dryRun !== undefined) {
    const { dryRun, ...others } = options
    return { method: 'dry_run', given, options: { ...others, checkOnly: dryRun === 'check' ? true : undefined } }
  }
  return { method: snakeCase(method), given, options }
}

interface Style {
  text(value: string): string
  constants: { true: string; false: string; null: string }
  name(name: string): string
}
const typescriptStyle: Style = {
  text: (value) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  constants: { true: 'true', false: 'false', null: 'null' },
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : typescriptStyle.text(name)),
}
const pythonStyle: Style = {
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
  name: (name) => JSON.stringify(name),
}
const widest = 72
/** On one line if it is short or `indent` is infinite. */
function literal(value: unknown, style: Style, indent: number): string {
  if (typeof value === 'string') return style.text(value)
  if (value === null || typeof value === 'boolean') return style.constants[`${value}` as 'true' | 'false' | 'null']
  if (typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const within = (deeper: number) =>
    isList
      ? value.map((one) => literal(one, style, deeper))
      : Object.entries(value).flatMap(([name, one]) =>
          one === undefined ? [] : [`${style.name(name)}: ${literal(one, style, deeper)}`],
        )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const flat = within(Infinity).join(', ')
  const line = flat === '' || isList || style === pythonStyle ? `${open}${flat}${close}` : `${open} ${flat} ${close}`
  if (indent === Infinity || line.length + indent <= widest) return line
  const margin = ' '.repeat(indent)
  return `${open}\n${within(indent + 2)
    .map((part) => `${margin}  ${part},\n`)
    .join('')}${margin}${close}`
}
