import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { stateOf } from '../../scripts/setup/source-state.mjs'
import { runCliHere } from '../cli-here.ts'
import { type CliResult, cliProgram, runCli } from '../cli-process.ts'
import { inOrder } from '../in-order.ts'
import { openServiceHere } from '../service-here.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

const account = 'sandbox-square-restaurant'
const folder = mkdtempSync(join(tmpdir(), 'unified-records-cli-'))
const at = (name: string) => join(folder, name)
const dataDir = at('data')
let service: ServiceProcess
/** Only the directory is set; everything else is discovered. */
const environment = { DATA_DIR: dataDir }
const unirec = (words: string[], input?: string) => runCliHere(words, { environment, input })
const unirecFromSources = (words: string[], input?: string) =>
  runCli(words, { environment, input, program: cliProgram })
// Backups are of SQLite, whatever the suite runs on.
const start = (folder: string, platforms: string) =>
  startService({ DATA_DIR: folder, DATABASE_URL: '', SANDBOX_PLATFORMS: platforms })

beforeAll(async () => {
  service = await start(dataDir, 'square,clover,xero')
})
afterAll(async () => {
  await service.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function squareCredentials(): Promise<string> {
  const { accounts } = (await (await fetch(`${service.sandboxFile().sandboxUrl}/_sandbox/accounts`)).json()) as {
    accounts: { platform: string; credentials: object }[]
  }
  return JSON.stringify(accounts.find(({ platform }) => platform === 'square')?.credentials)
}

const customers = Array.from({ length: 4 }, (_, index) => ({
  externalId: `CLI-${index}`,
  name: `Customer ${index}`,
  notes: index === 0 ? 'one, "two"\nthree' : '',
}))
const asLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('records', inOrder, () => {
  it('are pulled as JSON lines to standard output and as CSV to a file, the same in both', async () => {
    const lines = await unirecFromSources(['pull', account, 'product'])
    expect(lines).toMatchObject({ code: 0, stderr: expect.stringContaining(`using the sandbox at ${service.url}`) })
    const products = lines.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { externalId: string })
    expect(products.length).toBeGreaterThan(3)
    expect(
      await unirec(['pull', account, 'product', '--format', 'csv', '--out', at('products.csv'), '--page-size', '3']),
    ).toMatchObject({ code: 0, stdout: '' })
    const [head = '', ...rows] = readFileSync(at('products.csv'), 'utf8').trim().split('\r\n')
    expect(head).toMatch(/^externalId,name,description,/)
    expect(rows.map((row) => row.split(',')[0])).toEqual(products.map(({ externalId }) => externalId))
    expect(existsSync(at('products.csv.part'))).toBe(false)
  })
  it('are created once, even if pushed several times; bad lines are reported with their number and do not stop the rest', async () => {
    writeFileSync(
      at('customers.ndjson'),
      `${asLines(customers.slice(0, 2))}nonsense\n${asLines([{ externalId: 'CLI-bad', name: 7 }])}\n${asLines(customers.slice(2))}`,
    )
    const push = (run = unirec) =>
      run(['push', account, 'customer', at('customers.ndjson'), '--failures', at('failures.ndjson'), '--json'])
    const summary = ({ stdout }: { stdout: string }) => JSON.parse(stdout.trim().split('\n').at(-1) as string)
    const first = await push(unirecFromSources)
    expect(first.code).toBe(1)
    expect(summary(first)).toEqual({ created: 4, replayed: 0, failed: 2 })
    expect(first.stderr).toMatch(/"count":6,"total":6,.*"ended":true/)
    const failures = readFileSync(at('failures.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(failures).toEqual([
      expect.objectContaining({ line: 3, code: 'unreadable' }),
      expect.objectContaining({
        line: 4,
        externalId: 'CLI-bad',
        code: 'validation_failed',
        errors: [{ pointer: '/name', message: expect.any(String) }],
        record: { externalId: 'CLI-bad', name: 7 },
      }),
    ])
    expect(summary(await push())).toEqual({ created: 0, replayed: 4, failed: 2 })
    const { stdout } = await unirec(['pull', account, 'customer'])
    for (const { name } of customers) expect(stdout.split(`"name":"${name}"`)).toHaveLength(2)
  })
  it('refer to source ids: an unknown one is refused with its field, unless --references says otherwise', async () => {
    await unirec(['push', account, 'customer', '-'], asLines(customers.slice(0, 1)))
    const found = await unirec(['pull', account, 'customer'])
    const platformId = JSON.parse(found.stdout.split('\n')[0] as string).externalId
    const orders = asLines(
      ['CLI-0', platformId].map((customerExternalId, index) => ({
        externalId: `CLI-ORDER-${index}`,
        customerExternalId,
        locationExternalId: 'MAIN',
        lineItems: [{ name: 'Tea', unitPrice: 3, quantity: 1 }],
      })),
    )
    expect(await unirec(['push', account, 'order', '-'], orders)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /CLI-ORDER-1\): unknown_reference: [\s\S]*\/customerExternalId No customer[\s\S]*1 created, 0 there already, 1 failed/,
      ),
    })
    expect(await unirec(['push', account, 'order', '-', '--references', 'auto'], orders)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/1 created, 1 there already, 0 failed[\s\S]*warning: \/customerExternalId/),
    })
  })
  it('are piped from pull to push, also as an array or CSV, and a closed pipe ends the pull without an error', async () => {
    expect(await unirec(['push', account, 'customer', '-'], JSON.stringify(customers, null, 2))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('0 created, 4 there already, 0 failed'),
    })
    const { stdout } = await unirec(['pull', account, 'category', '--format', 'csv'])
    expect(
      await unirec(
        ['push', 'sandbox-clover-restaurant', 'category', '-'],
        stdout.replaceAll(/^([^,]+),([^,]*),.*/gm, '$1,$2').replace(/^.*\r\n/, 'externalId,name\r\n'),
      ),
    ).toMatchObject({ code: 0 })
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${cliProgram}" pull ${account} order | head -1`], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    })
    expect(piped.stdout.split('\n')).toHaveLength(2)
    expect(piped.stderr).not.toMatch(/EPIPE|error/i)
  })
})

describe('mistakes', () => {
  it('in usage exit with 2, in the connection or the credentials with 3', async () => {
    expect(await unirec(['pull', account, 'prodcut'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean product?'),
    })
    expect(await unirec(['pull', 'sandbox-xero-accounting', 'order'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it can: customer'),
    })
    const elsewhere = { UNIREC_API_KEY: 'urk_nobody.0123456789abcdef0123', DATA_DIR: at('none') }
    expect(
      await runCliHere(['pull', account, 'product'], {
        environment: { ...elsewhere, UNIREC_URL: 'http://127.0.0.1:9' },
      }),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/cannot be reached: .* that --url or UNIREC_URL is correct/),
    })
    expect(
      await runCliHere(['pull', account, 'product', '--json'], {
        environment: { ...elsewhere, UNIREC_URL: service.url },
      }),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"code":"unauthorized"'),
    })
    expect(await runCliHere(['doctor'], { environment: { ...elsewhere, UNIREC_URL: service.url } })).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('PROBLEM  credentials'),
    })
    const misspelled = { ...elsewhere, UNIREC_URL: service.url, DATABSE_URL: 'postgres://user:secret@db/x' }
    const { stdout } = await runCliHere(['doctor'], { environment: misspelled })
    expect(stdout).toContain('warning  configuration: DATABSE_URL is not a setting and has no effect; did you mean')
    expect(stdout).not.toContain('secret')
  })

  it('in native calls are named as they were typed', async () => {
    const cases: [words: string, code: number, text: string][] = [
      ['POST /v2/customers --body none.json --external-id N-1', 2, 'none.json cannot be read: there is no such file'],
      ['POST /v2/customers', 1, 'Nothing was sent: --external-id is required for POST'],
      ['GET /v2/customers --query limit', 2, '--query takes name=value'],
      ['GET /v2/customers --query access_token=x', 1, '\n  --query "access_token" would be a credential'],
    ]
    for (const [words, code, text] of cases) {
      const result = await unirec(['native', account, ...words.split(' ')])
      expect([result.code, result.stderr], words).toEqual([code, expect.stringContaining(text)])
    }
  })
})

it('accounts are connected and listed; faults are set, listed, reported by accounts test and doctor, and cleared', async () => {
  const credentials = await squareCredentials()
  expect(
    await unirec(['accounts', 'connect', 'square', 'restaurant', '--id', 'by-hand', '--credentials', '-'], credentials),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('by-hand is connected'),
  })
  const wrong = '{"accessToken":"wrong"}'
  expect(
    await unirec(['accounts', 'connect', 'square', 'restaurant', '--id', 'wrong', '--credentials', '-'], wrong),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /validation_failed: Square refused these credentials: [\s\S]*\n {2}\/credentials\/accessToken is not accepted by Square/,
    ),
  })
  expect(
    await unirec(
      ['accounts', 'connect', 'square', 'restaurant', '--id', 'later', '--credentials', '-', '--no-test'],
      wrong,
    ),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('later is stored untested'),
  })
  expect((await unirec(['accounts', 'reconnect', 'later', '--credentials', '-'], wrong)).code).toBe(1)
  expect(await unirec(['accounts', 'reconnect', 'later', '--credentials', '-'], credentials)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('later is connected'),
  })
  expect((await unirec(['accounts', 'test', 'later'])).code).toBe(0)
  const tested = ['accounts', 'connect', 'square', 'restaurant', '--id', 'tested', '--credentials', '-', '--region']
  expect(await unirec([...tested, 'Elsewhere'], credentials)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must name one of: "Production", "Square Sandbox, for developers"'),
  })
  expect(await unirec([...tested, 'square sandbox'], credentials)).toMatchObject({
    code: 0,
    stdout: 'tested is connected (square (test), restaurant)\n',
  })
  expect((await unirec(['accounts', 'list'])).stdout).toMatch(/tested +square \(test\)/)
  expect((await unirec(['accounts', 'list'])).stdout).toMatch(/by-hand +square[\s\S]*sandbox-xero-accounting/)
  expect(await unirec(['sandbox', 'fault', 'set', 'xero', 'forbidden'])).toMatchObject({
    code: 0,
    stdout: 'xero: forbidden\n',
  })
  expect(JSON.parse((await unirec(['sandbox', 'fault', 'list', 'xero', '--json'])).stdout)).toEqual({
    platform: 'xero',
    faults: [{ kind: 'forbidden' }],
  })
  expect((await unirec(['accounts', 'test', 'sandbox-xero-accounting'])).code).toBe(1)
  const ill = await unirec(['doctor'])
  expect(ill).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/PROBLEM {2}account sandbox-xero-accounting: .*\n +fix: /),
  })
  expect(await unirec(['sandbox', 'fault', 'clear', 'xero'])).toMatchObject({ code: 0, stdout: 'xero: no faults\n' })
  const brief = await unirec(['doctor'])
  expect(brief, brief.stdout).toMatchObject({ code: 0, stdout: '' })
  const well = await unirecFromSources(['doctor', '--all'])
  expect(well, well.stdout).toMatchObject({ code: 0, stderr: expect.stringContaining('no problems found') })
  for (const check of ['configuration', 'database', 'clock', 'credentials', 'data directory', `account ${account}`])
    expect(well.stdout).toContain(`ok       ${check}: `)
})

it('keys are created with scopes and limits, listed with their last use, used, rotated and revoked', async () => {
  const scope = ['--scope', 'records:read,accounts:read', '--account', account, '--hide', 'email', '--expires', '90d']
  const made = await unirec(['keys', 'create', 'Reader', ...scope, '--json'])
  const { id, key } = JSON.parse(made.stdout) as { id: string; key: string }
  const withKey = (words: string[], input?: string, apiKey = key) =>
    runCliHere(words, { environment: { DATA_DIR: at('none'), UNIREC_URL: service.url, UNIREC_API_KEY: apiKey }, input })
  const customers = await withKey(['pull', account, 'customer'])
  expect([customers.code, customers.stdout.includes('"phone"'), customers.stdout.includes('"email"')]).toEqual([
    0,
    true,
    false,
  ])
  expect(await withKey(['push', account, 'customer', '-'], '{"externalId":"K-1","name":"Ada"}\n')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('does not have the scope "records:write"'),
  })
  const [, ...accounts] = (await withKey(['accounts', 'list'])).stdout.trim().split('\n')
  expect(accounts).toEqual([expect.stringContaining(account)])
  expect(await withKey(['keys', 'create', 'Another'])).toMatchObject({ code: 3 })
  const line = (await unirec(['keys', 'list'])).stdout.split('\n').find((one) => one.startsWith(id))
  expect(line).toMatch(
    new RegExp(`Reader +records:read,accounts:read +20.*Z +20.* from 127\\S+ +accounts ${account}; without email$`),
  )
  const rotated = JSON.parse((await unirec(['keys', 'rotate', id, '--json'])).stdout) as { key: string }
  expect([(await withKey(['accounts', 'list'])).code, rotated.key.startsWith(`${id}.`)]).toEqual([3, true])
  expect((await unirec(['keys', 'revoke', id])).code).toBe(0)
  expect((await withKey(['accounts', 'list'], undefined, rotated.key)).code).toBe(3)
  expect(await unirec(['keys', 'create', 'Wrong', '--expires', 'soon'])).toMatchObject({ code: 2 })
})

it('prints control characters of names, ids and messages as escapes, and JSON with the same values', async () => {
  const hostile = '\u001b[31mRed\u009b2J\u0007\r\nby-hand ok'
  const shown = String.raw`\u001b[31mRed\u009b2J\u0007\u000d\u000aby-hand ok`
  const controls = ({ stdout, stderr }: CliResult) => (stdout + stderr).match(/(?!\n)\p{Cc}/gu) ?? undefined
  const connected = await unirec(
    'accounts connect square restaurant --id hostile --credentials - --no-test --name'.split(' ').concat(hostile),
    await squareCredentials(),
  )
  expect(connected.code).toBe(0)
  const list = await unirec(['accounts', 'list'])
  expect(list.stdout.split('\n')).toContainEqual(expect.stringMatching(/^hostile +square/))
  expect(
    list.stdout
      .split('\n')
      .find((line) => line.startsWith('hostile '))
      ?.endsWith(shown),
  ).toBe(true)
  const asJson = await unirec(['accounts', 'list', '--json'])
  expect(
    asJson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  ).toContain(hostile)
  const refused = await unirec(['push', account, 'customer', '-'], asLines([{ externalId: hostile, name: hostile }]))
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`line 1 (${shown}): validation_failed`) })
  const customer = { externalId: 'CLI-hostile', name: '\u001b[31mRed\u009b2J' }
  expect((await unirec(['push', account, 'customer', '-'], asLines([customer]))).code).toBe(0)
  const pulled = await unirec(['pull', account, 'customer'])
  expect(
    pulled.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  ).toContain(customer.name)
  for (const result of [connected, list, asJson, refused, pulled]) expect(controls(result)).toBeUndefined()
})

it('the shell script completes commands and accounts', { tags: ['bash'] }, () => {
  const script = `unirec() { "${process.execPath}" "${cliProgram}" "$@"; }; source <(unirec completion bash)
    COMP_WORDS=(unirec pul); COMP_CWORD=1; _unirec; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(unirec pull sandbox-squ); COMP_CWORD=2; _unirec; echo "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  expect(stdout, stderr).toBe(`pull\n${account} sandbox-square-retail_pos\n`)
})

it('bin/unirec.mjs starts the build only while it is that of the sources', () => {
  const root = at('checkout')
  for (const name of ['bin', 'scripts/setup/source-state.mjs'])
    cpSync(join(import.meta.dirname, '../..', name), join(root, name), { recursive: true })
  for (const [name, text] of [
    ['src/cli/main.ts', "console.log('sources')"],
    ['dist/cli/main.mjs', "console.log('build')"],
    ['.cache/service-state', ''],
  ] as const) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const started = () => spawnSync(process.execPath, [join(root, 'bin/unirec.mjs')], { encoding: 'utf8' }).stdout.trim()
  expect(started()).toBe('sources')
  writeFileSync(join(root, '.cache/service-state'), stateOf(root))
  expect(started()).toBe('build')
  const file = join(root, 'src/cli/main.ts')
  const { atime, mtime } = statSync(file)
  cpSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
  utimesSync(file, atime, mtime) // as tar and rsync do
  expect(started()).toBe('sources')
})

it('usage errors name the command that was typed', () => {
  const root = at('package') // the published package: no sources
  for (const name of ['bin', 'package.json'])
    cpSync(join(import.meta.dirname, '../..', name), join(root, name), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../dist'), join(root, 'dist'))
  for (const [program, words, name, line] of [
    ['unified-records', [], 'unified-records', 'unified-records'],
    ['unirec', ['serve'], 'serve', 'unirec serve'],
  ] as const) {
    const typed = [join(root, `bin/${program}.mjs`), ...words, '--prot', '9000']
    const { status, stderr } = spawnSync(process.execPath, typed, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `${name} has no --prot; did you mean --port?\nSee: ${line} --help\n`,
    })
  }
})

it('acknowledged writes survive a kill, a damaged file, a restore and a new key', async () => {
  const dataDir = at('killed')
  const environment = { DATA_DIR: dataDir }
  const unirec = (words: string[], input?: string) => runCliHere(words, { environment, input })
  const service = await start(dataDir, 'square')
  onTestFinished(() => service.kill('SIGKILL'))
  const pushOne = (externalId: string) =>
    unirec(['push', account, 'customer', '-'], JSON.stringify({ externalId, name: externalId }))
  await pushOne('BEFORE')
  const backup = ['backup', at('backup.sqlite')]
  expect(await runCli(backup, { environment, program: cliProgram })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('checked'),
    stderr: expect.stringContaining('encryption.key'),
  })
  expect(await unirec(['restore', at('backup.sqlite')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stop it first'),
  })
  expect(await unirec(['encryption-key', 'rotate'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stop it first'),
  })
  await service.kill('SIGKILL')
  const file = join(dataDir, 'unified-records.sqlite')
  writeFileSync(file, Buffer.concat([Buffer.alloc(16, 7), readFileSync(file).subarray(16)]))
  writeFileSync(`${file}-wal`, '') // newer pages there would repair it
  await expect(start(dataDir, 'square')).rejects.toThrow(/the database is damaged: .*unirec restore/)
  expect(await unirec(['restore', at('backup.sqlite')])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('.before-'),
  })
  expect(await unirec(['encryption-key', 'rotate', '--forget-old'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^[1-9]\d* values were re-encrypted/),
  })
  expect(readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim().split('\n')).toHaveLength(1)
  const opened = (key: string) =>
    openServiceHere({ DATA_DIR: dataDir, DATABASE_URL: '', ENCRYPTION_KEY: key }, ['square'])
  await expect(opened(randomBytes(32).toString('base64'))).rejects.toThrow(
    /^the encryption key does not open what is in the database\. Set ENCRYPTION_KEY to/,
  )
  const restarted = await opened('')
  onTestFinished(() => restarted.stop())
  expect((await pushOne('BEFORE')).stderr).toContain('1 there already')
  expect((await unirec(['pull', account, 'product'])).code).toBe(0)
})
