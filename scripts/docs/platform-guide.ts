// docs/generated/platforms/<name>.md: one page per platform, from what its connector declares. The site adds the notes of
// the platform's README.
import { credentialFields, scopesOf, settingFields } from '../../src/accounts/fields.ts'
import type { Auth, Connector } from '../../src/contract/connector.ts'
import { entities as declared } from '../../src/contract/entities/index.ts'
import { type EntityType, entityTypes, type Vertical } from '../../src/contract/entity.ts'
import { flavorOf } from '../../src/contract/validation.ts'
import { type EntitySupport, platformSupport } from '../../src/engine/support.ts'
import { type CallsByPlatform, rates } from './platforms-page.ts'

const none = '–'
const code = (text: string) => `\`${text}\``
const list = (texts: readonly string[]) => (texts.length > 0 ? texts.join(', ') : none)
/** A sentence, with a period at its end. */
const sentence = (text: string) =>
  `${/^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text}`.replace(/\.?$/, '.')
const table = (header: readonly string[], rows: readonly (readonly string[])[]) => [
  `| ${header.join(' | ')} |`,
  `|${header.map(() => '---').join('|')}|`,
  ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  '',
]

export function platformGuide(
  connector: Connector,
  calls: CallsByPlatform,
  notes: readonly string[],
  made: string,
): string {
  const { id, name, docs, verticals, apiVersion } = connector
  return [
    `# ${name}`,
    '',
    `How to connect ${name} accounts, and what you can read and write there: \`${id}\`, ${list(verticals.map(code))}. The service uses version ${apiVersion.name} of the [vendor's API](${docs}).`,
    '',
    made,
    '',
    ...application(connector),
    ...testEnvironment(connector),
    ...settings(connector),
    ...limits(connector, calls),
    ...entities(connector),
    ...fields(connector),
    ...webhooks(connector),
    '## Quirks',
    '',
    `What ${name} does differently, what the service does about it, and what is uncertain:`,
    '',
    ...notes.map((note) => `- [Notes on ${note}](../../../src/platforms/${note}/README.md) <!-- include -->`),
    '',
  ].join('\n')
}

function application(connector: Connector): string[] {
  const { name, auth } = connector
  const oauth = auth.find((method): method is Extract<Auth, { kind: 'oauth2' }> => method.kind === 'oauth2')
  const keys = auth.filter((method) => method.kind !== 'oauth2')
  const scopes = oauth ? scopesOf(connector, oauth, {}) : []
  return [
    ...(oauth ? oauthSteps(connector, oauth, scopes) : []),
    ...(keys.length > 0 ? ['## Connect with keys', ''] : []),
    ...(oauth && keys.length > 0 ? ['Without an application, for a business whose keys you have:', ''] : []),
    ...keys.flatMap((method) => keySteps(method, keys.length > 1)),
    ...(oauth && keys.length === 0
      ? [`There are no other credentials: ${name} accounts are connected by their owners.`, '']
      : []),
  ]
}
function oauthSteps(
  connector: Connector,
  { registration }: Extract<Auth, { kind: 'oauth2' }>,
  scopes: readonly string[],
): string[] {
  const { id, name } = connector
  const { console, application: kind, redirect, redirectRule, permissions } = registration ?? {}
  return [
    '## Create the developer app',
    '',
    `Your customers authorize your application at ${name}. You register it once:`,
    '',
    console
      ? `1. Open the [${console.name}](${console.url}) and create an application${kind ? ` of the type **${kind}**` : ''}.`
      : '1. Create an application at the platform.',
    `2. Enter the [callback URL](#callback-url)${redirect ? ` (**${redirect}**)` : ''}, exactly as it is.${redirectRule ? ` ${redirectRule}` : ''}`,
    `3. ${permissions ? `Grant permissions: ${sentence(permissions)}` : `Grant no permissions in the console: connect links request the [scopes](#scopes).`}`,
    `4. Copy the client ID and the client secret to the page of ${name} in the dashboard, or send them:`,
    '',
    '   ```sh',
    `   curl -X PUT "$UNIREC_URL/manage/v1/workspaces/current/platform-apps/${id}" \\`,
    `     -H "authorization: Bearer $UNIREC_API_KEY" -H 'content-type: application/json' \\`,
    `     -d '{ "clientId": "…", "clientSecret": "…" }'`,
    '   ```',
    '',
    '   `$UNIREC_URL` is the URL of the service (`http://127.0.0.1:8080`, or the address of `MANAGE_PORT`), and `$UNIREC_API_KEY` an [API key](../../keys.md#the-management-api) with the scope `manage`. With the admin token, put the id of the workspace in the place of `current`.',
    '',
    '5. Send your customer a [connect link](../../connect.md), or choose **Connect account** in the dashboard.',
    '',
    '### Scopes',
    '',
    scopes.length > 0
      ? `${permissions ? 'A connect link requests' : 'Connect links request'}: ${scopes.map(code).join(' ')}.`
      : `${name} has no scopes in the request: what you grant in the console applies.`,
    '',
    ...lacking(connector),
    '### Callback URL',
    '',
    `\`PUBLIC_URL/connect/callback\`, the same for all platforms. [\`PUBLIC_URL\`](../../configuration.md) is the https URL of your service that customers see, for example \`https://records.example.com/connect/callback\`.${redirectRule ? ` ${redirectRule}` : ''}`,
    '',
  ]
}
/** What reads lack without a scope that not every application has. */
function lacking({ entities: adapters }: Connector): string[] {
  const rows = Object.entries(adapters).flatMap(([type, adapter]) =>
    Object.entries(adapter?.scopes?.lacking ?? {}).map(([scope, { message }]) => [code(scope), type, message]),
  )
  return rows.length === 0
    ? []
    : [
        'Without these, reads work, and every page says what it lacks:',
        '',
        ...table(['scope', 'entity', 'without it'], rows),
        '[Requested scopes](../../connect.md#requested-scopes) says how to ask for others.',
        '',
      ]
}
function keySteps(method: Auth, titled: boolean): string[] {
  const title = method.title ?? (method.kind === 'client_credentials' ? 'Client credentials' : 'Keys')
  return [
    ...(titled ? [`### ${title}`, ''] : []),
    ...credentialFields(method).map(
      ({ name, label, help }, index) => `${index + 1}. **${label}** (\`${name}\`)${help ? `: ${sentence(help)}` : ''}`,
    ),
    `${credentialFields(method).length + 1}. Choose **Connect account** in the dashboard, or [send them](../../connect.md#connect-an-account-yourself).`,
    '',
  ]
}

function testEnvironment({ id, name, regions = [], verticals }: Connector): string[] {
  const tests = regions.filter(({ test }) => test)
  const accounts = verticals.map((vertical) => code(`sandbox-${id}-${vertical}`))
  return [
    '## Test environment',
    '',
    `Without any account, use the built-in simulator: ${accounts.join(' and ')} in the [sandbox](../../../src/sandbox/README.md).`,
    '',
    ...(tests.length > 0
      ? [
          ...table(
            ['environment of the vendor', 'settings of the account or the application'],
            tests.map(({ label, settings: values }) => [
              label,
              list(Object.entries(values).map(([setting, value]) => `${code(setting)}: ${code(value)}`)),
            ]),
          ),
          'An account there has `test: true`. [Test environments](../../connect.md#test-environments) says how to choose one.',
        ]
      : [`${name} has no other host for tests. Connect a business that you have created for tests.`]),
    '',
  ]
}

function settings(connector: Connector): string[] {
  const rows = settingFields(connector).map(({ name, label, help, optional, options, default: fallback }) => [
    code(name),
    optional ? 'no' : 'yes',
    `${sentence(help ?? label)}${options ? ` One of ${list(options.map(code))}.` : ''}${fallback === undefined ? '' : ` Default: ${code(fallback)}.`}`,
  ])
  return rows.length === 0 ? [] : ['## Settings', '', ...table(['setting', 'required', 'meaning'], rows)]
}

function limits(
  { id, name, limit, lanes = {}, concurrency, dailyLimit, verticals }: Connector,
  calls: CallsByPlatform,
): string[] {
  const daily = dailyLimit?.calls
  const perDay =
    typeof daily === 'object'
      ? `by plan (${code(daily.setting)}): ${list(Object.entries(daily.limits).map(([plan, most]) => `${plan} ${most.toLocaleString('en-US')}`))}`
      : daily?.toLocaleString('en-US')
  const counts = verticals.flatMap((vertical) =>
    entityTypes.flatMap((type) => {
      const { defaultPage, largestPage } = calls[id]?.[vertical]?.[type] ?? {}
      return defaultPage === undefined
        ? []
        : [[`${vertical} ${type}`, String(defaultPage), String(largestPage ?? none)]]
    }),
  )
  return [
    '## Limits',
    '',
    `The service waits for the next free slot instead of running into the limit of ${name}. All accounts of one business share it, across all instances.`,
    '',
    ...table(
      ['limit', 'calls'],
      [
        ['rate', rates(limit)],
        ...Object.entries(lanes).map(([lane, rate]) => [`rate of ${lane}`, rates(rate)]),
        ...(concurrency === undefined ? [] : [['at once', String(concurrency)]]),
        ...(perDay === undefined ? [] : [['per day', perDay]]),
      ],
    ),
    ...(counts.length > 0
      ? [
          'How many calls a walk over 1 000 records takes, [as measured](../platforms.md#records):',
          '',
          ...table(['entity', 'pages of 50', 'largest pages'], counts),
        ]
      : []),
  ]
}

function supportOf(connector: Connector): { vertical: Vertical; type: EntityType; entry: EntitySupport }[] {
  const { entities: byVertical } = platformSupport(connector)
  return entityTypes.flatMap((type) =>
    connector.verticals.flatMap((vertical) => {
      const entry = byVertical[vertical]?.[type]
      return entry ? [{ vertical, type, entry }] : []
    }),
  )
}
const entities = (connector: Connector): string[] => [
  '## Entities',
  '',
  ...table(
    ['entity', 'vertical', 'operations', 'largest page', '`updatedAfter`', 'search'],
    supportOf(connector).map(({ vertical, type, entry }) => [
      code(type),
      vertical,
      list(['read', ...(entry.write ? ['create'] : []), ...(entry.update ? ['update'] : [])]),
      String(entry.pageLimit),
      { platform: 'filtered by the platform', service: 'filtered by the service', none: 'not supported' }[
        entry.updatedAfter
      ],
      entry.search.by.length > 0 ? list(entry.search.by) : 'by id',
    ]),
  ),
]

function fields(connector: Connector): string[] {
  const support = supportOf(connector)
  const sections = entityTypes.flatMap((type) => {
    const flavors = support.filter((one) => one.type === type)
    if (flavors.length === 0) return []
    const rows = new Map<string, { type: string; verticals: Vertical[]; written: string }>()
    for (const { vertical, entry } of flavors)
      for (const [pointer, fieldType] of leaves(flavorOf(vertical, type)?.read.schema as Schema)) {
        const row = rows.get(pointer) ?? {
          type: fieldType,
          verticals: [],
          written: written(type, pointer, entry, isRequired(type, vertical, pointer)),
        }
        rows.set(pointer, { ...row, verticals: [...row.verticals, vertical] })
      }
    const header = flavors.some(({ entry }) => entry.write || entry.update)
      ? ['field', 'type', 'when you write it']
      : ['field', 'type']
    return [
      `### ${code(type)}`,
      '',
      ...table(
        header,
        [...rows].map(([pointer, row]) => {
          const only = row.verticals.length < flavors.length ? ` (${row.verticals.join(', ')})` : ''
          return [`${code(pointer.slice(1))}${only}`, row.type, row.written].slice(0, header.length)
        }),
      ),
    ]
  })
  return [
    '## Fields',
    '',
    'A response has the fields that the platform has a value for. `*` is every entry of a list. A field that is not stored is named in `warnings[]` of the response.',
    '',
    ...sections,
  ]
}
interface Schema {
  type?: string
  format?: string
  enum?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  required?: readonly string[]
}
const words: Readonly<Record<string, string>> = {
  string: 'text',
  'platform-identifier': 'id',
  identifier: 'id',
  uri: 'URL',
  email: 'email address',
  currency: 'currency code',
  'date-time': 'time',
  date: 'day',
}
function leaves(schema: Schema, at = ''): [string, string][] {
  if (schema.type === 'array' && schema.items?.properties) return leaves(schema.items, `${at}/*`)
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, property]) => leaves(property, `${at}/${name}`))
  if (schema.type === 'array') return [[at, `list of ${words[schema.items?.type ?? ''] ?? 'value'}s`]]
  return [
    [
      at,
      schema.enum ? list(schema.enum.map(code)) : (words[schema.format ?? schema.type ?? ''] ?? schema.type ?? 'value'),
    ],
  ]
}
/** By the schema, on every platform. */
function isRequired(type: EntityType, vertical: Vertical, pointer: string): boolean {
  const steps = pointer.slice(1).split('/')
  const last = steps.pop() as string
  let schema = flavorOf(vertical, type)?.write.schema as Schema | undefined
  for (const step of steps) schema = step === '*' ? schema?.items : schema?.properties?.[step]
  return schema?.required?.includes(last) ?? false
}
function written(type: EntityType, pointer: string, entry: EntitySupport, required: boolean): string {
  if (!entry.write && !entry.update) return ''
  if ((declared[type].computed as readonly string[]).includes(pointer)) return 'set by the platform'
  if (pointer === '/externalId') return 'your id, which is the idempotency key'
  // An entry about an object or a list applies to what is in it.
  const about = (other: string) => pointer === other || pointer.startsWith(`${other}/`)
  const conditions = entry.requiresWhen
    .filter((one) => one.pointer === pointer)
    .map(({ when }) => `required when ${when}`)
  const notStored = entry.notStored
    .map((text) => /^(\S+)(?: \((.+)\))?$/.exec(text) ?? [])
    .find(([, at = '']) => about(at))
  if (notStored) return notStored[2] ? `stored, except ${notStored[2]}` : 'not stored'
  if (entry.derived.some(about)) return 'set by the platform'
  const refused = Object.entries(entry.refused).find(([at]) => about(at))
  if (refused) return `refused: ${refused[1]}`
  const values = entry.values[pointer]
  const longest = entry.longest[pointer]
  const parts = [
    ...(required || entry.requires.includes(pointer) ? ['required'] : conditions),
    ...(values ? [`only ${values.map(code).join(', ')}`] : []),
    ...(longest ? [`at most ${longest} characters`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'stored'
}

function webhooks({ name, hooks }: Connector): string[] {
  if (!hooks)
    return [
      '## Webhooks',
      '',
      `${name} sends no webhooks that the service uses. Changes are found by [polls and walks](../changes.md).`,
      '',
    ]
  const reports = Object.entries(hooks.reports).map(([type, kinds]) => [code(type), list(kinds ?? [])])
  return [
    '## Webhooks',
    '',
    hooks.register
      ? `The service registers itself at ${name} for the entities that you [watch](../../sync-a-catalog.md).`
      : `Set them up once in the console; the dashboard shows the URL. [Webhooks from platforms](../../vendor-webhooks.md) has the details.`,
    '',
    ...(hooks.steps ?? []).map((step, index) => `${index + 1}. ${step.replaceAll('{url}', 'the URL')}`),
    ...(hooks.steps ? [''] : []),
    ...table(['entity', 'reported within seconds'], reports),
  ]
}
