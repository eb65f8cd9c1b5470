// The command line against scripted responses: a token endpoint at another address than the API, totals of a progress,
// a connection that ends in the middle.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { runCliHere } from '../cli-here.ts'
import { createScriptedServer, page, problem, type Script, type ScriptedServer } from '../client/scripted-server.ts'

const open: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function serve(script: Script): Promise<ScriptedServer> {
  const server = await createScriptedServer(script)
  open.push(server)
  return server
}
const environment = {
  DATA_DIR: '/nonexistent',
  UNIREC_ACCESS_ID: 'uri_1',
  UNIREC_ACCESS_SECRET: 'secret',
  UNIREC_MAPPING_KEYS: 'shop=read-key/write-key',
}

it.each(['--auth-url', 'UNIREC_AUTH_URL'])('%s is where the token is requested', async (name) => {
  const auth = await serve(() => ({ body: { access_token: 'separate', token_type: 'Bearer', expires_in: 3600 } }))
  const api = await serve(({ headers, path }) => {
    if (headers.authorization !== 'Bearer separate') return problem(401, 'unauthorized')
    return path.endsWith('/product') ? page([1]) : { body: { entities: { product: { read: true } } } }
  })
  const url = `${auth.url}/oauth/token`
  const flag = name.startsWith('--')
  const result = await runCliHere(['pull', 'shop', 'product', ...(flag ? [name, url] : [])], {
    environment: { ...environment, UNIREC_URL: api.url, ...(flag ? {} : { [name]: url }) },
  })
  expect(result).toMatchObject({ code: 0, stdout: '{"externalId":"1","name":"P1"}\n' })
  expect(auth.asked).toMatchObject([{ method: 'POST', path: '/oauth/token' }])
  expect(JSON.stringify(api.asked)).not.toContain('client_secret')
})

it.each(['auth.example.com', 'https://user:hidden@auth.example.com/token'])(
  'the token endpoint %s is a usage error that does not repeat it',
  async (url) => {
    const result = await runCliHere(['pull', 'shop', 'product', '--auth-url', url], {
      environment: { ...environment, UNIREC_URL: 'http://127.0.0.1:9' },
    })
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('--auth-url') })
    expect(result.stderr).not.toContain('hidden')
  },
)

it('a pull knows the total of a watched entity, and shows count and rate if the service does not tell', async () => {
  const watched = { body: { entities: { product: { phase: 'ready', records: 40 } } } }
  for (const [status, total] of [
    [watched, 40],
    [problem(403, 'insufficient_scope'), undefined],
  ] as const) {
    let [asked, after] = [false, 0]
    const api = await serve(({ path }) => {
      if (path.endsWith('/changes/status')) asked = true
      if (path.endsWith('/changes/status')) return status
      if (!path.endsWith('/product')) return { body: { entities: { product: { read: true } } } }
      if (asked) after++
      return page([1, 2], after < 5 ? 'next' : undefined)
    })
    const { code, stderr } = await runCliHere(['pull', 'shop', 'product', '--json'], {
      environment: { DATA_DIR: '/nonexistent', UNIREC_URL: api.url, UNIREC_API_KEY: 'urk_1.secret' },
    })
    const reading = JSON.parse(stderr.trim().split('\n').at(-1) as string)
    expect([code, reading.ended, reading.total]).toEqual([0, true, total])
  }
})

it('an apply that loses the service keeps what was done, with its secret, and says what was not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-apply-'))
  const api = await serve(({ method, path, body }) => {
    if (method === 'GET') return { body: { data: path.endsWith('/workspaces') ? [{ id: 'urw_1', name: 'Shop' }] : [] } }
    const { name } = JSON.parse(body)
    return name === 'B' ? { cut: 'before' } : { status: 201, body: { id: `urk_${name}`, key: `urk_${name}.hidden` } }
  })
  const words = ['apply', '-f', '-', '--json', '--secrets-file', join(folder, 'secrets')]
  const result = await runCliHere(words, {
    environment: { DATA_DIR: '/nonexistent', UNIREC_URL: api.url, UNIREC_ADMIN_TOKEN: 'admin' },
    input: 'version: 1\nworkspaces: [{ name: Shop, apiKeys: [{ name: A }, { name: B }, { name: C }] }]\n',
  })
  const shown = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([result.code, shown.flatMap(({ name, outcome }) => (outcome ? [[name, outcome]] : []))]).toEqual([
    3,
    [
      ['A', 'done'],
      ['B', 'failed'],
      ['C', 'not done'],
    ],
  ])
  expect(shown[2].error).toContain('rotate it then')
  expect(result.stdout + result.stderr).not.toContain('hidden')
  expect(JSON.parse(readFileSync(join(folder, 'secrets'), 'utf8'))).toEqual({
    workspace: 'Shop',
    kind: 'API key',
    name: 'A',
    id: 'urk_A',
    secret: 'urk_A.hidden',
  })
  rmSync(folder, { recursive: true })
})
