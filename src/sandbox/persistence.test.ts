import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createState } from './collection.ts'
import { readJson } from './http.ts'
import { createPersistence } from './persistence.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'
import type { CreateSimulator } from './simulator.ts'
import { createClock } from './world.ts'

/** A shop that stores a note together with its idempotency key. */
const createShop =
  (platform: string, seeds: readonly string[] = ['1', '2']): CreateSimulator =>
  ({ state }) => {
    const notes = state.collection<{ id: string; text: string }>('notes')
    const keys = state.collection<string>('keys')
    for (const id of seeds) notes.set(id, { id, text: 'seeded' })
    return {
      platform,
      limit: [],
      tenants: [
        {
          vertical: 'retail_pos',
          credentials: {},
          settings: {},
          locations: [],
          records: {
            product: { ids: () => notes.ids(), add: () => [], touch() {}, remove: (id) => void notes.delete(id) },
          },
          expireTokens() {},
          revokeTokens() {},
        },
      ],
      tenantOf: () => undefined,
      handle(request) {
        if (request.method === 'GET') return { status: 200, body: { notes: notes.values(), keys: keys.ids() } }
        const { id, text } = readJson(request) as { id: string; text: string }
        notes.set(id, { id, text })
        keys.set(`key of ${id}`, id)
        return { status: 201, body: {} }
      },
      throttled: () => ({ status: 429 }),
      broken: (status) => ({ status }),
    }
  }
const shop = { shop: createShop('shop') }

let folder: string
let file: string
const open: Sandbox[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox file-'))
  file = join(folder, 'state.jsonl')
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
  rmSync(folder, { recursive: true })
})

async function start(
  simulators: Record<string, CreateSimulator> = shop,
  stored = file,
  size: 'small' | 'full' = 'small',
) {
  const sandbox = await createSandbox({ simulators, size, file: stored })
  open.push(sandbox)
  return sandbox
}
const post = (sandbox: Sandbox, id: string, platform = 'shop') =>
  fetch(`${sandbox.origin(platform)}/notes`, { method: 'POST', body: JSON.stringify({ id, text: `text of ${id}` }) })
const read = async (sandbox: Sandbox, platform = 'shop') => {
  const { notes, keys } = (await (await fetch(`${sandbox.origin(platform)}/notes`)).json()) as {
    notes: { id: string }[]
    keys: string[]
  }
  return { notes: notes.map(({ id }) => id), keys }
}
const seeded = { notes: ['1', '2'], keys: [] }

/** What a process would find that starts after a kill at this moment. */
async function afterKill(simulators?: Record<string, CreateSimulator>): Promise<Sandbox> {
  const copy = join(folder, `copy-${open.length}.jsonl`)
  copyFileSync(file, copy)
  return start(simulators, copy)
}

describe('a change', () => {
  it('is on the disk before its response', async () => {
    const sandbox = await start()
    const kept = { notes: [...seeded.notes], keys: [] as string[] }
    for (const id of ['a', 'b', 'c']) {
      expect((await post(sandbox, id)).status).toBe(201)
      kept.notes.push(id)
      kept.keys.push(`key of ${id}`)
      expect(await read(await afterKill())).toEqual(kept)
    }
  })
  it('is on the disk before a response of the control endpoint', async () => {
    const sandbox = await start()
    await fetch(`${sandbox.url}/_sandbox/shop/tenants/retail_pos/product?remove=1`, { method: 'POST' })
    expect(await read(await afterKill())).toEqual({ notes: ['2'], keys: [] })
  })
  it('is kept as a whole or not at all, wherever a kill cuts the file', async () => {
    const sandbox = await start()
    await post(sandbox, 'a')
    const before = statSync(file).size
    await post(sandbox, 'b')
    const bytes = readFileSync(file)
    for (let length = before; length < bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length))
      const state = createState()
      const persistence = createPersistence(file, 'small', Date.now)
      for (const id of seeded.notes) state.collection('notes').set(id, { id, text: 'seeded' })
      persistence.attach('shop', state)
      persistence.close()
      expect([state.collection('notes').ids(), state.collection('keys').ids()], `${length} bytes`).toEqual([
        ['1', '2', 'a'],
        ['key of a'],
      ])
    }
  })
  it('that could not be stored gets no response, and is stored with the next one', async () => {
    const sandbox = await start()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    renameSync(file, `${file}.away`)
    mkdirSync(file)
    await expect(post(sandbox, 'a')).rejects.toThrow()
    await expect(read(sandbox)).rejects.toThrow()
    expect(printed).toHaveBeenCalledTimes(2)
    printed.mockRestore()
    rmdirSync(file)
    renameSync(`${file}.away`, file)
    expect((await post(sandbox, 'b')).status).toBe(201)
    expect(await read(await afterKill())).toEqual({ notes: ['1', '2', 'a', 'b'], keys: ['key of a', 'key of b'] })
  })
  it('shares one append with the others of its turn', async () => {
    const state = createState()
    const notes = state.collection('notes')
    const persistence = createPersistence(file, 'small', Date.now)
    persistence.attach('shop', state)
    persistence.ready()
    const lines = () => readFileSync(file, 'utf8').trim().split('\n').length
    const before = lines()
    for (let id = 0; id < 100; id += 1) notes.set(String(id), { id })
    await persistence.stored()
    expect(persistence.stored()).toBeUndefined()
    persistence.close()
    expect(lines()).toBe(before + 1)
  })
})

describe('the file', () => {
  it('is rewritten at the start, and keeps what differs from the seeds, in its order', async () => {
    const first = await start()
    for (const id of ['a', 'b', 'c']) await post(first, id)
    const remove = (id: string) =>
      fetch(`${first.url}/_sandbox/shop/tenants/retail_pos/product?remove=${id}`, { method: 'POST' })
    for (const id of ['1', 'b', '2']) await remove(id)
    await post(first, 'b')
    await post(first, '1') // of the seed, but the last one now
    const expected = await read(first)
    expect(expected.notes).toEqual(['a', 'c', 'b', '1'])
    for (const round of [1, 2]) expect(await read(await afterKill()), `start ${round}`).toEqual(expected)
    const size = statSync(join(folder, 'copy-1.jsonl')).size
    expect(size).toBeLessThan(statSync(file).size)
    expect(readFileSync(join(folder, 'copy-1.jsonl'), 'utf8').match(/text of b/g)).toHaveLength(1)
  })
  it('is rewritten when it has grown', async () => {
    const attach = () => {
      const state = createState()
      const persistence = createPersistence(file, 'small', Date.now)
      persistence.attach('shop', state)
      persistence.ready()
      return { notes: state.collection<string>('notes'), persistence }
    }
    const { notes, persistence } = attach()
    const longest = 5 * 1024 * 1024
    for (let change = 1; change <= 40; change += 1) {
      notes.set('one', `${change} ${'x'.repeat(500_000)}`)
      await persistence.stored()
      expect(statSync(file).size, `change ${change}`).toBeLessThan(longest + 2 * 500_000)
    }
    notes.set('two', 'last')
    await persistence.stored()
    persistence.close()
    const restarted = attach()
    restarted.persistence.close()
    expect(restarted.notes.get('one')).toMatch(/^40 x/)
    expect(restarted.notes.get('two')).toBe('last')
  })
  it('keeps the changes of simulators that do not run', async () => {
    const both = { shop: createShop('shop'), other: createShop('other') }
    const first = await start(both)
    await post(first, 'a')
    await post(first, 'b', 'other')
    await first.close()
    for (const round of [1, 2]) {
      const sandbox = await start()
      expect((await read(sandbox)).notes, `start ${round}`).toEqual(['1', '2', 'a'])
      await sandbox.close()
    }
    const last = await start(both)
    expect((await read(last, 'other')).notes).toEqual(['1', '2', 'b'])
  })
  it('of version 0.2.0 is read, which had a line per change', async () => {
    const sandbox = await start()
    await sandbox.close()
    const [header, seed] = readFileSync(file, 'utf8').split('\n') as [string, string]
    const lines = [
      header.replace('"format":2', '"format":1'),
      seed,
      '["shop","notes","a",{"id":"a"}]',
      '["shop","notes","1"]',
      '["sh',
    ]
    writeFileSync(file, lines.join('\n'))
    expect((await read(await start())).notes).toEqual(['2', 'a'])
  })
  it.each([
    ['is empty', () => '', 'it has no header'],
    ['is something else', () => 'not a log\n', 'line 1 is damaged'],
    ['has a damaged line', (text: string) => text.replace('["shop","keys"', '\0\0'), 'line 3 is damaged'],
    ['has another format', (text: string) => text.replace('"format":2', '"format":9'), 'its format is 9, not 2'],
    [
      'has another size',
      (text: string) => text.replace('"size":"small"', '"size":"full"'),
      'it was written with SANDBOX_SIZE=full, and this is small',
    ],
  ])('is neither used nor replaced if it %s', async (_, change, problem) => {
    const sandbox = await start()
    await post(sandbox, 'a')
    await post(sandbox, 'b')
    await sandbox.close()
    const text = change(readFileSync(file, 'utf8'))
    writeFileSync(file, text)
    await expect(start()).rejects.toThrow(
      `the sandbox cannot use ${file}: ${problem}. To start with the first records, move the file away`,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual(['state.jsonl'])
  })
  it('is copied before changes are left out that do not fit the seeds of this version', async () => {
    const first = await start({ shop: createShop('shop'), other: createShop('other') })
    await post(first, 'a')
    await post(first, 'b', 'other')
    await first.close()
    const text = readFileSync(file, 'utf8')
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const simulators = { shop: createShop('shop', ['1', '2', '3']), other: createShop('other') }
    const second = await start(simulators)
    expect(printed.mock.calls).toEqual([[expect.stringContaining(`at shop. What was written there`)]])
    expect(printed.mock.calls[0]?.[0]).toContain(`${file}.1`)
    expect((await read(second)).notes).toEqual(['1', '2', '3'])
    expect((await read(second, 'other')).notes).toEqual(['1', '2', 'b'])
    expect(readFileSync(`${file}.1`, 'utf8')).toBe(text)
    await second.close()
    await start(simulators)
    expect(printed).toHaveBeenCalledTimes(1)
    printed.mockRestore()
    expect(readdirSync(folder).toSorted()).toEqual(['state.jsonl', 'state.jsonl.1'])
  })
})

it('a clock that many changes have led ahead of the time goes on there after a restart', () => {
  const state = createState()
  const clock = createClock(() => 1000, state)
  for (let change = 0; change < 50; change += 1) clock.tick()
  expect(createClock(() => 1001, state).tick()).toBe(1050)
})

describe('kill -9 at the last response', () => {
  const environment = () => ({
    SANDBOX_FILE: file,
    SANDBOX_SIZE: 'small',
    SANDBOX_PLATFORMS: 'square,xero',
    PACE_SCALE: '0.0001',
  })
  async function run() {
    const child = fork(join(import.meta.dirname, 'main.ts'), {
      env: { ...process.env, ...environment() },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const exited = once(child, 'exit')
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk))
    const started = await Promise.race([
      once(child, 'message').then(([message]) => message as { listening: string; accounts: Account[] }),
      once(child, 'close').then(([code]) => Promise.reject(new Error(`${code}: ${printed}`))),
    ])
    return {
      ...started,
      kill() {
        child.kill('SIGKILL')
        return exited
      },
    }
  }
  interface Account {
    platform: string
    vertical: string
    credentials: Record<string, string>
  }
  type Running = Awaited<ReturnType<typeof run>>
  const credentialsOf = ({ accounts }: Running, name: string) =>
    accounts.find(({ platform }) => platform === name)?.credentials as Record<string, string>
  async function send(url: string, headers: Record<string, string>, body: string) {
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  it('keeps records and their idempotency keys', async () => {
    let running = await run()
    const authorization = `Bearer ${credentialsOf(running, 'square').accessToken}`
    const create = async (number: number) => {
      const { body } = await send(
        `${running.listening}/square/v2/customers`,
        { authorization, 'content-type': 'application/json' },
        JSON.stringify({ idempotency_key: `key-${number}`, given_name: `Guest ${number}` }),
      )
      return (body.customer as { id: string }).id
    }
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const ids = await Promise.all(numbers.map(create))
    await running.kill()
    running = await run()
    expect(await Promise.all(numbers.map(create))).toEqual(ids)
    const { vertical } = running.accounts.find(({ platform }) => platform === 'square') as Account
    const list = await fetch(`${running.listening}/_sandbox/square/tenants/${vertical}/customer`)
    const listed = ((await list.json()) as { ids: string[] }).ids
    expect(listed.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
    await running.kill()
  })

  it('keeps tokens and webhooks', async () => {
    let running = await run()
    const { clientId = '', clientSecret = '', refreshToken = '' } = credentialsOf(running, 'xero')
    const refresh = (token: string) =>
      send(
        `${running.listening}/xero/connect/token`,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: clientId,
          client_secret: clientSecret,
        }).toString(),
      )
    const enter = () =>
      send(`${running.listening}/_sandbox/square/webhooks`, {}, JSON.stringify({ url: 'http://127.0.0.1:1/hook' }))
    const entered = await enter()
    const first = await refresh(refreshToken)
    await running.kill()
    running = await run()
    expect(credentialsOf(running, 'xero').refreshToken).toBe(first.body.refresh_token)
    expect((await refresh(first.body.refresh_token as string)).status).toBe(200)
    expect(await enter()).toEqual(entered)
    await running.kill()
  })

  it('says in one sentence why it does not start', async () => {
    writeFileSync(file, 'damaged\n')
    await expect(run()).rejects.toThrow(
      /^1: the sandbox cannot start: the sandbox cannot use .* line 1 is damaged\. .*\n$/,
    )
  })
})
