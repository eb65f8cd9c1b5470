// Commands of the command line that need one service, in the process of the test.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Here, runCliHere } from '../cli-here.ts'
import { inOrder } from '../in-order.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'

const account = 'sandbox-square-restaurant'
const folder = mkdtempSync(join(tmpdir(), 'unified-records-cli-commands-'))
const at = (name: string) => join(folder, name)
const adminToken = randomBytes(24).toString('hex')
const profilesFile = at('config/unirec/profiles.json')
let service: ServiceHere
/** With the sandbox next to it. */
const unirec = (words: string[], input?: string, more: Here = {}) =>
  runCliHere(words, { input, ...more, environment: { DATA_DIR: service.dataDir, XDG_CONFIG_HOME: at('none') } })
/** From another machine, with nothing but profiles. */
const remote = (words: string[], input?: string, environment: Record<string, string> = {}, more: Here = {}) =>
  runCliHere(words, {
    input,
    ...more,
    environment: { DATA_DIR: at('none'), XDG_CONFIG_HOME: at('config'), ...environment },
  })
const lastLine = (text: string) => text.trim().split('\n').at(-1) as string

beforeAll(async () => {
  service = await openServiceHere({ ADMIN_TOKEN: adminToken }, ['square'])
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('login', inOrder, () => {
  const secrets = () => [adminToken, service.sandboxFile().apiKey, service.sandboxFile().dashboard.password]

  it('checks and stores a credential for its owner only, which later commands use until the logout', async () => {
    const { apiKey, dashboard } = service.sandboxFile()
    const refused = await remote(['login', '--url', service.url], 'urk_wrong.0123456789abcdef0123\n')
    expect([refused.code, existsSync(profilesFile)]).toEqual([3, false])
    const unknown = await remote(['login', '--url', service.url], 'bad\n')
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining('sign in with unirec login --user NAME.'),
    ])
    const away = await remote(['login', '--url', 'http://127.0.0.1:9'], apiKey)
    expect([away.code, away.stderr]).toEqual([3, expect.stringContaining('http://127.0.0.1:9 cannot be reached')])
    writeFileSync(at('key.txt'), `${apiKey}\n`)
    const runs = [
      await remote(['login', '--url', `${service.url}/`], `${apiKey}\n`),
      await remote(['login', '--user', dashboard.user], dashboard.password),
      await remote(['login', '--profile', 'admin', '--url', service.url], adminToken),
      await remote(['login', '--profile', 'file', '--url', service.url, '--api-key-file', at('key.txt')]),
      await remote(['profiles', 'use', 'default']),
      await remote(['profiles', 'list']),
      await remote(['accounts', 'list', '--workspace', 'sandbox']),
      await remote(['pull', account, 'location', '--profile', 'file']),
      await remote(['workspaces', 'list'], undefined, { UNIREC_PROFILE: 'admin' }),
    ]
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0))
    expect(statSync(profilesFile).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(readFileSync(profilesFile, 'utf8')).profiles.default)).toEqual([
      'apiKey',
      'url',
      'session',
    ])
    expect(runs[5]?.stdout).toMatch(/^default \(current\) +http\S+ +API key urk_\w+, user \S+ until 20/m)
    expect(runs[6]?.stderr).toContain(`using profile default (${service.url})`)
    for (const { stdout, stderr } of runs) for (const secret of secrets()) expect(stdout + stderr).not.toContain(secret)
    expect((await remote(['logout'])).stdout).toBe('deleted profile default\n')
    expect(readFileSync(profilesFile, 'utf8')).not.toContain('"default"')
    expect((await remote(['logout', '--all'])).code).toBe(0)
    expect(await remote(['accounts', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('run unirec login'),
    })
  })

  it('asks on a terminal without an echo, and refuses what it cannot use', async () => {
    const { apiKey } = service.sandboxFile()
    const asked = await remote(['login', '--url', service.url], `${apiKey}\n`, {}, { isTerminal: true })
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('API key or admin token: ')])
    expect(asked.stderr).not.toContain(apiKey)
    chmodSync(profilesFile, 0o644)
    expect((await remote(['accounts', 'list'])).stderr).toContain('chmod 600')
    const cases: [words: string[], message: string, environment?: Record<string, string>][] = [
      [['login', '--profile', '../x', '--url', service.url], '--profile must have up to 64 letters'],
      [['login', '--profile', 'x'], 'login needs the URL of the service'],
      [['login', '--url', 'https://ada:pw@example.com'], 'without a user name, password or query'],
      [['login', '--url', service.url, '--user', 'ada', '--api-key-file', 'k'], 'one credential at a time'],
      [['login', '--url', service.url, '--api-key-file', at('nothing')], 'cannot be read'],
      [['login', '--url', service.url], 'no credential was given'],
      [['pull', account, 'product', '--url', 'localhost:8080'], '--url (UNIREC_URL) must be a URL such as'],
      [['accounts', 'list'], 'UNIREC_URL) must be', { UNIREC_URL: 'https://ada:pw@example.com' }],
      [['pull', account, 'product', '--profile', 'defualt'], 'did you mean default?'],
      [['pull', account, 'product', '--profile', 'default', '--url', 'http://127.0.0.1:9'], 'cannot be combined'],
      [['logout', '--profile', 'x'], 'there is no profile "x"'],
    ]
    for (const [words, message, environment] of cases) {
      const result = await remote(words, '', environment)
      expect([result.code, result.stderr], words.join(' ')).toEqual([2, expect.stringContaining(message)])
      expect(result.stderr).not.toContain('ada:pw')
    }
    writeFileSync(profilesFile, '{"apiKey":"hidden')
    const damaged = await remote(['accounts', 'list'])
    expect([damaged.code, damaged.stderr.includes('hidden')]).toEqual([2, false])
    rmSync(profilesFile)
  })

  it('sends credentials of a profile to its own URL only; flags and the environment go before it', async () => {
    const { apiKey } = service.sandboxFile()
    expect((await remote(['login', '--url', service.url], apiKey)).code).toBe(0)
    const elsewhere = await remote(['pull', account, 'location'], undefined, {
      UNIREC_URL: service.sandboxFile().sandboxUrl as string,
    })
    expect([elsewhere.code === 0, elsewhere.stderr.includes('using profile')]).toEqual([false, false])
    const wrong = { UNIREC_API_KEY: 'urk_wrong.0123456789abcdef0123' }
    expect((await remote(['pull', account, 'location'], undefined, wrong)).code).toBe(3)
    expect((await remote(['pull', account, 'location', '--profile', 'default'], undefined, wrong)).code).toBe(0)
    const beside = await remote(['pull', account, 'location', '--data-dir', service.dataDir])
    expect([beside.code, beside.stderr]).toEqual([0, expect.stringContaining('using the sandbox')])
    expect(lastLine((await remote(['logout'])).stdout)).toBe('deleted profile default')
  })
})

describe('one record', () => {
  const words = [account, 'customer']
  it('is created once, read by either id, and replaced only in the version that was read', async () => {
    writeFileSync(at('ada.json'), JSON.stringify({ externalId: 'ONE-1', name: 'Ada', email: 'ada@example.com' }))
    const create = ['create', ...words, '--file', at('ada.json')]
    const planned = await unirec([...create, '--dry-run'])
    expect([planned.code, JSON.parse(planned.stdout).steps.length > 0]).toEqual([0, true])
    const made = await unirec(create)
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/created: platform id \S+/)])
    const id = JSON.parse(made.stdout).externalId as string
    expect((await unirec(create)).stderr).toContain('was there already, nothing was written')
    const read = JSON.parse((await unirec(['get', ...words, id, '--json'])).stdout)
    expect(read).toMatchObject({ data: { externalId: id, name: 'Ada' }, etag: expect.any(String) })
    const byOwnId = await unirec(['get', ...words, '--external-id', 'ONE-1', '--fields', 'name'])
    expect(JSON.parse(byOwnId.stdout)).toEqual({ externalId: id, name: 'Ada' })
    const listed = await unirec(['get', ...words, '--search', 'ada@example.com', '--native'])
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: { externalId: id }, native: expect.anything() })
    const nothing = await unirec(['get', ...words, '--search', 'not.there@example.com'])
    expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([
      0,
      '',
      expect.stringMatching(
        /no customer was found\nwarning: Square searches customer records only by email and phone\./,
      ),
    ])
    const some = await unirec(['get', ...words, '--limit', '1'])
    expect([some.stdout.split('\n').length, some.stderr]).toEqual([2, expect.stringContaining('there are more')])
    const update = ['update', ...words, id, '--file', '-', '--if-match', read.etag]
    const changed = await unirec(update, JSON.stringify({ ...read.data, name: 'Ada L.' }))
    expect([changed.code, JSON.parse(changed.stdout).name]).toEqual([0, 'Ada L.'])
    const late = await unirec(update, JSON.stringify({ ...read.data, name: 'Too late' }))
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('precondition_failed')])
  })

  it('that cannot be used is refused with the flag, and nothing is written', async () => {
    const cases: [words: string, input: string, code: number, message: string][] = [
      ['create', '', 2, 'create needs --file FILE'],
      ['create --file -', 'nonsense', 2, '--file standard input is not JSON'],
      ['create --file -', '[]', 2, 'unirec push writes several records'],
      ['create --file -', '{"name":"Bob"}', 2, 'set --external-id ID'],
      ['create --file - --external-id B', '{"name":"Bob","externalId":"A"}', 2, 'differ'],
      ['create --file - --external-id B', '{"name":7}', 1, '/name must be'],
      ['get X --search Y', '', 2, 'cannot be combined'],
      ['get NOT-THERE', '', 1, 'record_not_found'],
      ['push nope.csv', '', 2, 'nope.csv cannot be read: there is no such file\n'],
      ['push -', 'nmae\nAda\n', 2, 'nothing was written\nline 1: there is no column "nmae"'],
      ['get --external-id NOT-THERE', '', 1, 'no customer was written or linked under the id NOT-THERE'],
    ]
    for (const [line, input, code, message] of cases) {
      const [name = '', ...rest] = line.split(' ')
      const result = await unirec([name, ...words, ...rest], input)
      expect([result.code, result.stderr], line).toEqual([code, expect.stringContaining(message)])
      expect(result.stderr, line).not.toContain('0 created')
    }
  })
})

describe('logs', () => {
  it('are shown newest last, filtered, followed as requests end, and one by one with its calls', async () => {
    const filter = ['--account', account, '--search', 'LOGGED-1', '--status', 'record_not_found']
    const stop = new AbortController()
    let isAsked = false
    const tail = await unirec(['logs', 'tail', ...filter], undefined, {
      stop,
      onOutput(stdout, stderr) {
        if (!isAsked && stderr.includes('waiting')) void unirec(['get', account, 'customer', 'LOGGED-1'])
        isAsked ||= stderr.includes('waiting')
        if (stdout !== '') stop.abort()
      },
    })
    const line = expect.stringMatching(/ 404 .*GET get customer .* req_\S+ +record_not_found$/)
    expect([tail.code, tail.stdout.trim().split('\n')]).toEqual([130, [line]])
    const shown = await unirec(['logs', 'tail', ...filter, '--since', '1h', '--no-follow', '--json'])
    const entry = JSON.parse(shown.stdout)
    expect(entry).toMatchObject({ status: 404, errorCode: 'record_not_found', operation: 'get' })
    const one = await unirec(['logs', 'show', entry.requestId])
    expect([one.code, one.stdout]).toEqual([
      0,
      expect.stringMatching(/GET \/v2\/customers\/LOGGED-1 +404[\s\S]*error\n +record_not_found: /),
    ])
    expect(await unirec(['logs', 'tail', '--status', 'validation_faild'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean validation_failed?'),
    })
    expect(await unirec(['logs', 'tail', '--since', 'soon'])).toMatchObject({ code: 2 })
    expect((await unirec(['logs', 'show', 'req_none'])).code).toBe(1)
  })
})

it('connect links are created with a scoped key or as a user, listed and revoked', async () => {
  const made = await unirec(['keys', 'create', 'Shop', '--scope', 'connect:create', '--json'])
  const withKey = { UNIREC_URL: service.url, UNIREC_API_KEY: JSON.parse(made.stdout).key as string }
  const runs = [
    (words: string[]) => unirec(['connect-link', ...words]),
    (words: string[]) => remote(['connect-link', ...words], undefined, withKey),
  ]
  for (const run of runs) {
    const flags = ['--platform', 'square', '--vertical', 'restaurant', '--id', 'corner', '--minutes', '5']
    const link = JSON.parse((await run(['create', ...flags, '--json'])).stdout)
    expect((await fetch(link.url)).status).toBe(200)
    expect((await run(['list'])).stdout).toMatch(new RegExp(`^${link.id} +open +square +corner +20`, 'm'))
    expect((await run(['revoke', link.id])).code).toBe(0)
    expect((await run(['list'])).stdout).toMatch(new RegExp(`^${link.id} +revoked `, 'm'))
    const wrong = await run(['create', '--platform', 'squrae'])
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--platform "squrae"')])
  }
  expect(await unirec(['connect-link', 'create', '--minutes', 'ten'])).toMatchObject({ code: 2 })
})

it('a person is counted and erased, and workspaces for tests are listed as such', async () => {
  const words = ['erase', account, 'customer', 'NO-SUCH-PERSON']
  const undecided = await unirec(words)
  expect([undecided.code, undecided.stderr]).toEqual([2, expect.stringContaining('--plan')])
  for (const [flag, title] of [
    ['--plan', 'to erase'],
    ['--yes', 'erased'],
  ] as const) {
    const { code, stdout, stderr } = await unirec([...words, flag])
    expect([code, stderr], stdout).toEqual([0, expect.stringContaining('not covered: the record at the platform')])
    expect(stderr).toContain('nothing is stored of this id')
    expect(stdout).toMatch(new RegExp(`place +${title}\\nfinished writes +0\\n`))
  }
  const admin = { UNIREC_ADMIN_TOKEN: adminToken, UNIREC_URL: service.url }
  const made = await remote(['workspaces', 'create', 'Staging', '--test'], undefined, admin)
  const listed = await remote(['workspaces', 'list'], undefined, admin)
  expect([made.code, listed.stdout]).toEqual([0, expect.stringMatching(/Staging +test +/)])
  await remote(['workspaces', 'delete', made.stdout.trim(), 'Staging'], undefined, admin)
})

it('people are invited, get another role, and are removed', async () => {
  expect((await unirec(['users', 'invite', 'ada'])).stderr).toContain('needs --role viewer|operator|admin')
  const invited = await unirec(['users', 'invite', 'ada', '--role', 'viewer', '--days', '1'])
  const response = await fetch(`${service.url}/manage/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: invited.stdout.trim().split('#')[1], user: 'ada', password: 'a long password' }),
  })
  expect(response.status, await response.text()).toBe(201)
  expect((await unirec(['users', 'members'])).stdout).toMatch(/^ada +viewer /m)
  expect(await unirec(['users', 'set-role', 'ada', 'operator'])).toMatchObject({ stdout: 'ada is now operator\n' })
  expect((await unirec(['users', 'remove', 'ada'])).code).toBe(0)
  expect(await unirec(['users', 'set-role', 'ada', 'operator'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('unirec users members lists them'),
  })
})

it('open starts the browser with the URL of a page and no secret, or says that it cannot', async () => {
  const browser = at('browser.sh')
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$*" > ${at('opened')}\n`, { mode: 0o755 })
  const opened = (variables: Record<string, string>, ...words: string[]) =>
    runCliHere(['open', ...words], { environment: { DATA_DIR: service.dataDir, ...variables } })
  expect(await opened({ BROWSER: browser }, 'activity')).toMatchObject({
    code: 0,
    stdout: `${service.manageUrl}/dashboard/w/sandbox/activity\n`,
  })
  expect(readFileSync(at('opened'), 'utf8')).toBe(`${service.manageUrl}/dashboard/w/sandbox/activity`)
  expect(await opened({ BROWSER: at('missing') })).toMatchObject({
    code: 0,
    stdout: `${service.manageUrl}/dashboard\n`,
    stderr: expect.stringContaining('open the URL in one yourself'),
  })
})

it('doctor says which checks it skipped, and which key is missing', async () => {
  const url = { UNIREC_URL: service.url, XDG_CONFIG_HOME: at('none') }
  const bare = await remote(['doctor', '--all'], undefined, url)
  expect(bare.code).toBe(3)
  expect(bare.stdout).toMatch(
    /^PROBLEM {2}credentials: no API key is set\n +fix: run unirec login, or set UNIREC_API_KEY/m,
  )
  expect(bare.stdout).toMatch(/^skipped {2}accounts: this needs UNIREC_ADMIN_TOKEN$/m)
  expect(bare.stderr).toMatch(
    /^1 problem in 4 checks\n2 checks skipped: this machine \(.*\), accounts \(this needs UNIREC_ADMIN_TOKEN\)$/m,
  )
  expect((await remote(['pull', account, 'location'], undefined, url)).stderr).toContain('no API key is set: run')
  const asAdmin = { ...url, UNIREC_ADMIN_TOKEN: adminToken, UNIREC_WORKSPACE: 'sandbox' }
  const brief = await remote(['doctor', '--json'], undefined, asAdmin)
  expect([brief.code, brief.stdout]).toEqual([0, ''])
  const all = await remote(['doctor', '--all', '--json'], undefined, asAdmin)
  const levels = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(levels).toContainEqual({ check: 'credentials', level: 'skipped', message: 'no API key is set' })
  expect(levels).toContainEqual(expect.objectContaining({ check: `account ${account}`, level: 'ok' }))
})

describe('apply', inOrder, () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/configuration-as-code.md'), 'utf8')
  const example = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] as string
  /** What the guide says to run with it. */
  const [, name, value, line] = /```bash\nexport (\w+)=(\S+)\nunirec (.*)\n```/.exec(guide) as string[] as [
    string,
    string,
    string,
    string,
  ]
  const secret = { [name]: value }
  const file = at('unirec.yaml')
  const apply = (words: string[], content: string, environment: Record<string, string> = {}) => {
    writeFileSync(file, content)
    return remote(['apply', '-f', file, ...words], undefined, {
      UNIREC_URL: service.url,
      UNIREC_ADMIN_TOKEN: adminToken,
      ...environment,
    })
  }
  interface Shown {
    kind: string
    name: string
    action: string
    outcome?: string
    error?: string
    id?: string
    changes: unknown[]
    summary?: Record<string, number>
  }
  const shownIn = ({ stdout }: { stdout: string }) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Shown)
  const summaryOf = (result: { stdout: string }) => shownIn(result).at(-1)?.summary
  const manage = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${service.manageUrl}/manage/v1/workspaces${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a response of any type
    return (response.status === 204 ? undefined : await response.json()) as any
  }

  it('makes the example of the guide once: planned, applied, then unchanged, and exported as it is', async () => {
    const plan = await apply(['--plan'], example)
    expect([plan.code, plan.stdout]).toEqual([4, expect.stringMatching(/^create +Sandbox: API key "Order import"$/m)])
    expect(plan.stdout).toContain('secret: environment variable SQUARE_CLIENT_SECRET is not set')
    const without = await apply([], example)
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringMatching(/unirec\.yaml:38:9 .*clientSecret is missing: /),
    ])
    expect((await manage('GET', '')).data).toHaveLength(1) // nothing was changed
    // Two at once make nothing twice.
    const secrets = at('new-secrets.ndjson')
    const words = line.split(' ').map((word) => (/\.(yaml|ndjson)$/.test(word) ? at(word) : word))
    const asInTheGuide = { DATA_DIR: service.dataDir, ...secret }
    const both = await Promise.all([0, 1].map(() => runCliHere([...words, '--json'], { environment: asInTheGuide })))
    expect(both.some(({ code }) => code === 0 || code === 1)).toBe(true)
    const last = await runCliHere([...words, '--json'], { environment: asInTheGuide })
    expect([last.code, last.stderr]).toEqual([0, expect.not.stringContaining('failed')])
    expect((await manage('GET', '')).data.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Sandbox',
      'Staging',
    ])
    expect(statSync(secrets).mode & 0o777).toBe(0o600)
    const stored = readFileSync(secrets, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(stored.map(({ workspace, kind }) => `${workspace} ${kind}`).sort()).toEqual([
      'Sandbox API key',
      'Sandbox webhook endpoint',
      'Staging webhook endpoint',
    ])
    const key = stored.find(({ kind }) => kind === 'API key').secret as string
    expect(
      (await remote(['pull', account, 'location'], undefined, { UNIREC_URL: service.url, UNIREC_API_KEY: key })).code,
    ).toBe(0)
    for (const { stdout, stderr } of [...both, last])
      for (const one of [...Object.values(secret), ...stored.map((made) => made.secret as string)])
        expect(stdout + stderr).not.toContain(one)
    const again = await apply(['--plan', '--json'], example)
    expect([again.code, Object.keys(summaryOf(again) ?? {}).sort()]).toEqual([0, ['not in the file', 'unchanged']])
    expect(shownIn(again)).toContainEqual(
      expect.objectContaining({ kind: 'API key', name: 'Sandbox API key', action: 'not in the file' }),
    )

    const exporting = (...words: string[]) =>
      remote(['export', ...words], undefined, { UNIREC_URL: service.url, UNIREC_ADMIN_TOKEN: adminToken })
    expect((await exporting('--out', at('exported.yaml'))).code).toBe(0)
    const content = readFileSync(at('exported.yaml'), 'utf8')
    const variablesIn = (text: string) => [...text.matchAll(/env: (.*)/g)].map(([, variable]) => variable)
    expect(variablesIn(content)).toEqual(['SQUARE_CLIENT_SECRET_SANDBOX', 'SQUARE_CLIENT_SECRET_STAGING'])
    expect(variablesIn((await exporting('--workspace', 'Staging')).stdout)).toEqual(['SQUARE_CLIENT_SECRET'])
    const occupied = await exporting('--out', at('exported.yaml'))
    expect([occupied.code, occupied.stderr]).toEqual([1, expect.stringContaining('is not overwritten')])
    expect(readFileSync(at('exported.yaml'), 'utf8')).toBe(content)
    const whole = await apply(['--plan', '--prune', '--json'], content)
    expect([whole.code, Object.keys(summaryOf(whole) ?? {})]).toEqual([0, ['unchanged']])
  })

  it('shows drift field by field and undoes it; prunes only what it is asked to', async () => {
    const { data: keys } = await manage('GET', '/sandbox/api-keys')
    const { id, name } = keys.find((one: { name: string }) => one.name === 'Order import')
    await manage('PUT', `/sandbox/api-keys/${id}`, { name, scopes: ['records:read', 'records:write'] })
    await manage('PUT', `/sandbox/accounts/${account}/watches/product`, { pollSeconds: 90 })
    const { data: endpoints } = await manage('GET', '/sandbox/webhook-endpoints')
    await manage('POST', `/sandbox/webhook-endpoints/${endpoints[0].id}/disable`)
    const drift = await apply(['--plan'], example)
    expect(drift.code).toBe(4)
    expect(drift.stdout).toContain('scopes: records:read, records:write → changes, records:read')
    expect(drift.stdout).toContain(`accounts: none → ${account}`)
    expect(drift.stdout).toMatch(new RegExp(`^not in the file +Sandbox: watch ${account} product$`, 'm'))
    const active = example.replace('events: [product.*, order.created]', "events: ['*']\n        state: active")
    const undone = await apply(['--json'], active)
    expect(undone.code).toBe(0)
    expect(shownIn(undone).flatMap((step) => (step.outcome ? [[step.kind, step.action, step.outcome]] : []))).toEqual([
      ['webhook endpoint', 'change', 'done'],
      ['API key', 'change', 'done'],
    ])
    expect((await manage('GET', '/sandbox/webhook-endpoints')).data[0]).toMatchObject({
      state: 'active',
      events: ['*'],
    })
    // Without the mapping, its default and the watches of the account.
    const less = active
      .replace(/^ {4}mappings:[\s\S]*?^( {4}watches:)/m, '    mappings: []\n    mappingDefaults: []\n$1')
      .replace(/^ {4}apiKeys:[\s\S]*?^( {4}accounts:)/m, '$1')
    const pruned = await apply(['--prune', '--json'], less)
    expect([pruned.code, pruned.stderr]).toEqual([0, ''])
    expect(
      shownIn(pruned)
        .filter(({ action }) => action === 'remove')
        .map(({ kind }) => kind),
    ).toEqual(['mapping default', 'mapping', 'watch'])
    expect((await manage('GET', '/sandbox/mappings')).data).toEqual([])
    expect((await manage('GET', '/sandbox/api-keys')).data).toHaveLength(keys.length) // their section is not in the file
    expect((await apply(['--plan', '--prune'], less)).code).toBe(0)
  })

  it('applies what it can, and says with its line what it could not', async () => {
    const content = `version: 1
workspaces:
  - name: Sandbox
    mappings:
      - { name: Bad, entityType: product, direction: read, rules: { /nmae: { value: x } } }
      - { name: Good, entityType: product, direction: read, rules: { /description: { value: x } } }
    mappingDefaults:
      - { entityType: product, direction: read, platform: square, mapping: Bad }
    accessIds:
      - { name: Batch, accounts: [no-account] }
      - { name: Nightly }
`
    const result = await apply(['--json'], content)
    expect(result.code).toBe(1)
    expect(shownIn(result).flatMap(({ name, outcome }) => (outcome ? [`${name} ${outcome}`] : []))).toEqual([
      'read product "Bad" failed',
      'read product "Good" done',
      'read product of square not done',
      'Batch failed',
      'Nightly done',
    ])
    const errors = shownIn(result)
      .map(({ error = '' }) => error)
      .join('\n')
    expect(errors).toMatch(/unirec\.yaml:5:\d+ workspaces\[0\]\.mappings\[0\]\.rules\["\/nmae"\] /)
    expect(errors).toMatch(/unirec\.yaml:10:\d+ workspaces\[0\]\.accessIds\[0\]\.accounts\[0\] is not an account/)
    const corrected = content.replace('nmae', 'name').replace('no-account', account)
    const continued = await apply(['--json'], corrected)
    expect([continued.code, shownIn(continued).filter(({ outcome }) => outcome === 'done')]).toEqual([
      0,
      expect.objectContaining({ length: 3 }),
    ])
  })

  it('refuses a file with faults as a whole, each with its line and the next step, and no secret of it', async () => {
    const workspace = (rest: string) => `version: 1\nworkspaces:\n  - name: Sandbox\n    ${rest}\n`
    const cases: [content: string, message: RegExp][] = [
      ['workspaces: [\n', /unirec\.yaml:\d+:\d+ is not YAML/],
      ['version: 1\nworkspaces: []\n---\nversion: 1\n', /:3:1 begins a second document/],
      ["version: !hush 1\nworkspaces: 'hush", /is not YAML/],
      ['workspaces: []', /:1:1 version must be 1/],
      ['version: 2\nworkspaces: []', /:1:1 version must be 1/],
      [workspace('apiKeys: [{ name: a, scope: [changes] }]'), /:4:26 .*scope is not known; did you mean "scopes"\?/],
      [workspace('apikeys: []'), /did you mean "apiKeys"\?/],
      [workspace('apiKeys: [{ name: a }, { name: a }]'), /apiKeys\[1\] has the same name as entry 0/],
      [
        workspace('platformApps: { square: { clientId: a, clientSecret: hush } }'),
        /must not be in the file.*env: NAME/,
      ],
      [workspace('platformApps: { sqare: { clientId: a, clientSecret: { env: A } } }'), /did you mean square\?/],
      [workspace('platformApps: { square: { clientID: a, clientSecret: { env: A } } }'), /did you mean "clientId"\?/],
      [
        workspace("webhookEndpoints: [{ url: 'https://a.example', events: [prodct.*] }]"),
        /did you mean "product\.\*"\?/,
      ],
      [workspace("webhookEndpoints: [{ url: 'http://a.example', events: ['*'] }]"), /:4:26 .*url must be an https URL/],
      [
        workspace("webhookEndpoints: [{ url: 'https://10.0.0.5/', events: ['*'] }]"),
        /:4:26 .*url must have a public address.* ALLOWED_HOSTS of the service and of this command/,
      ],
      [
        workspace(`apiKeys: [{ id: urk_none, name: a }]
    platformApps: { sqare: { clientId: a, clientSecret: { env: A } } }`),
        /:4:\d+ .*is no API key.*\n.*:5:\d+ .*did you mean square/, // in the order of the file
      ],
      [
        workspace(
          'mappings: [{ name: a, entityType: product, direction: read, rules: { /custom/x: { typ: string } } }]',
        ),
        /workspaces\[0\]\.mappings\[0\]\.rules\["\/custom\/x"\]\.typ is not known/,
      ],
      [
        workspace('accounts: { corner: { watches: {} } }'),
        /accounts\.corner is not an account of Sandbox\. Connect it/,
      ],
      [
        workspace('mappingDefaults: [{ entityType: product, direction: read, mapping: None }]'),
        /names no read mapping/,
      ],
      [workspace('id: urw_none'), /has an id that does not exist/],
      [workspace('apiKeys: [{ id: urk_none, name: a }]'), /is no API key of Sandbox/],
    ]
    for (const [content, message] of cases) {
      const result = await apply([], content)
      expect([result.code, result.stderr], content).toEqual([2, expect.stringMatching(message)])
      expect(result.stdout + result.stderr).not.toContain('hush')
    }
    // Where the operator allows the address, the service decides.
    const inside = workspace("webhookEndpoints: [{ url: 'https://10.0.0.5/', events: ['*'] }]")
    expect((await apply(['--plan'], inside, { ALLOWED_HOSTS: '10.0.0.5' })).code).toBe(4)
    expect((await remote(['apply', '-f', at('missing.yaml')])).stderr).toContain('unirec export')
    writeFileSync(at('open.ndjson'), '', { mode: 0o644 })
    const open = await apply(['--secrets-file', at('open.ndjson')], workspace('apiKeys: [{ name: Open }]'))
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('chmod 600')])
    // A key of a workspace manages that one, and creates no keys.
    const made = await manage('POST', '/sandbox/api-keys', { name: 'Pipeline', scopes: ['manage'] })
    const byKey = { UNIREC_ADMIN_TOKEN: '', UNIREC_API_KEY: made.key }
    const settings = workspace('settings: { returnUrls: [] }')
    expect((await apply([], settings, byKey)).code).toBe(0)
    expect((await apply([], settings.replace('Sandbox', 'Staging'), byKey)).stderr).toContain(
      'which is Sandbox (sandbox)',
    )
    const refused = await apply(['--json'], workspace('apiKeys: [{ name: More }]'), byKey)
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('An API key cannot do this')])
  })
})
