// unirec listen as a process, other commands in the process of the test, between a service in a process and a receiver that verifies every event.
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecret } from '../../src/deliveries/signature.ts'
import { runCliHere } from '../cli-here.ts'
import { startCli } from '../cli-process.ts'
import { type Receiver, startReceiver } from '../deliveries/receiver.ts'
import { freePort } from '../free-port.ts'
import { inOrder } from '../in-order.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { until } from '../until.ts'

const account = 'sandbox-square-restaurant'
const folder = mkdtempSync(join(tmpdir(), 'unified-records-cli-listen-'))
const environment = { DATA_DIR: join(folder, 'data') }
let service: ServiceProcess
let local: Receiver
let deployed: Receiver // of a webhook endpoint
const start = async () => {
  service = await startService({ ...environment, DATABASE_URL: '', PORT: port })
}
let port: string
beforeAll(async () => {
  port = String(await freePort())
  ;[local, deployed] = await Promise.all([startReceiver(), startReceiver(), start()])
})
afterAll(async () => {
  await Promise.all([service.kill('SIGKILL'), local.close(), deployed.close()])
  rmSync(folder, { recursive: true, force: true })
})

const unirec = (words: string[], input?: string) => runCliHere(words, { environment, input })
async function write(externalId: string, name: string, id?: string): Promise<string> {
  const response = await fetch(`${service.url}/unified/${account}/customer${id ? `/${id}` : ''}`, {
    method: id ? 'PUT' : 'POST',
    headers: { authorization: `Bearer ${service.sandboxFile().apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ externalId: id ?? externalId, name }),
  })
  const body = (await response.json()) as { reference: { id: string } }
  expect(response.ok, JSON.stringify(body)).toBe(true)
  return body.reference.id
}
const about = (receiver: Receiver, id: string) => receiver.received.filter(({ event }) => event.data.externalId === id)

describe('unirec listen and webhooks', inOrder, () => {
  it('refuses what it cannot do, and says what to do', async () => {
    const cases: [words: string[], code: number, text: string][] = [
      [['listen'], 2, '--forward URL'],
      [['listen', '--forward', 'localhost:3000'], 2, 'http://localhost:3000/hooks'],
      [['listen', '--forward', 'http://user:hidden@localhost/'], 2, 'without a user name'],
      [['listen', '--print', '--entity', 'clients'], 2, 'product, order, customer'],
      [['listen', '--print'], 1, 'unirec watch set'],
      [['listen', '--print', '--account', account], 1, 'not_watched'],
    ]
    for (const [words, code, text] of cases) {
      const result = await unirec(words)
      expect([result.code, result.stderr], words.join(' ')).toEqual([code, expect.stringContaining(text)])
      expect(result.stderr).not.toContain('hidden')
    }
    const secret = await runCliHere(['listen', '--print'], {
      environment: { ...environment, UNIREC_WEBHOOK_SECRET: 'hidden' },
    })
    expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining('whsec_')])
    expect(secret.stderr).not.toContain('hidden')
  })

  it('lists the URLs of platforms, and stores a secret that a person copies', async () => {
    const { code, stdout } = await unirec(['hooks', 'list', '--json'])
    expect(code).toBe(0)
    const hooks = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { platform: string; url: string })
    const { url = '' } = hooks.find(({ platform }) => platform === 'xero') ?? {}
    const secret = 'a-hidden-secret'
    const body = JSON.stringify({ events: [] })
    const headers = { 'x-xero-signature': createHmac('sha256', secret).update(body).digest('base64') }
    const send = async () => (await fetch(url, { method: 'POST', headers, body })).status
    expect(await send()).toBe(401)
    const stored = await unirec(['hooks', 'set-secret', 'xero'], `${secret}\n`)
    expect([stored.code, stored.stderr]).toEqual([0, expect.stringContaining('stored the secret of xero')])
    expect(stored.stdout + stored.stderr).not.toContain(secret)
    expect(await send()).toBe(200)
    const cases: [words: string[], input: string, code: number, text: string][] = [
      [['hooks', 'set-secret', 'xero'], '', 2, 'no secret'],
      [['hooks', 'set-secret', 'shopify'], 'long-enough', 1, 'no person enters a secret'],
      [['hooks', 'set-secret', 'square', '--account', account], 'long-enough', 1, 'hooks/square'],
    ]
    for (const [words, input, expected, text] of cases) {
      const result = await unirec(words, input)
      expect([result.code, result.stderr], words.join(' ')).toEqual([expected, expect.stringContaining(text)])
    }
  })

  it('adds, changes, tests and lists endpoints, and names what is wrong as it was typed', async () => {
    deployed.respond = (_, response) => void response.writeHead(503).end()
    const settings = '--description Shop --data thin --format cloudevents --coalesce on --concurrency 2 --per-second 50'
    const add = ['webhooks', 'add', deployed.url, '--accounts', account, '--events', 'order.*,customer.*']
    const added = await unirec([...add, ...settings.split(' '), '--json'])
    const { id, secret } = JSON.parse(added.stdout) as { id: string; secret: string }
    deployed.secrets.push(secret)
    expect(JSON.parse(added.stdout)).toMatchObject({
      url: deployed.url,
      events: ['order.*', 'customer.*'],
      accounts: [account],
      description: 'Shop',
      data: 'thin',
      format: 'cloudevents',
      coalesce: true,
      concurrency: 2,
      perSecond: 50,
    })
    const test = await unirec(['webhooks', 'test', id])
    expect([test.code, test.stderr]).toEqual([1, expect.stringMatching(/ is failed: 503 after \d+ ms$/m)])
    const list = (await unirec(['webhooks', 'list'])).stdout
    expect(list).toMatch(/^endpoint +state +waiting +failed +last success +events +url +note\n/)
    expect(list).toMatch(new RegExp(`^${id} +failing +0 +1 +never +order.*,customer.* +${deployed.url} +Shop$`, 'm'))

    const empty = ['--accounts', '', '--description', '', '--per-second', '0', '--coalesce', 'off', '--data', 'full']
    const update = ['webhooks', 'update', id, '--endpoint-url', `${deployed.url}?v=2`, ...empty, '--json']
    const updated = JSON.parse((await unirec(update)).stdout) as object
    expect(updated).toMatchObject({ url: `${deployed.url}?v=2`, data: 'full', coalesce: false, format: 'cloudevents' })
    for (const name of ['accounts', 'description', 'perSecond']) expect(updated).not.toHaveProperty(name)

    const cases: [words: string[], code: number, text: string][] = [
      [['webhooks', 'add', 'ftp://example.com'], 1, '<url> must be an https URL'],
      [
        ['webhooks', 'update', id, '--endpoint-url', 'https://10.0.0.1/'],
        1,
        '--endpoint-url must have a public address',
      ],
      [['webhooks', 'update', id, '--events', '*, products.*'], 1, '--events "products.*" is not a type of events'],
      [['webhooks', 'update', id, '--accounts', 'none'], 1, '--accounts "none" is not an account'],
      [['webhooks', 'update', id, '--concurrency', '64'], 1, '--concurrency must be'],
      [['webhooks', 'update', id, '--per-second', 'many'], 2, '--per-second takes a whole number from 0 on'],
      [['webhooks', 'update', id, '--per-second', '-5'], 2, '--per-second takes a whole number from 0 on'],
      [['webhooks', 'test', 'urwh_none'], 1, 'Check <endpoint>: unirec webhooks list lists them.'],
      [['webhooks', 'resend', id, 'none'], 1, 'Check <delivery>: unirec webhooks deliveries <endpoint> lists them.'],
      [['webhooks', 'replay', id, '--since', 'yesterday'], 2, '--since takes a time such as 2026-'],
      [['webhooks', 'update', id], 2, 'pass what to change: --endpoint-url, --events'],
      [['webhooks', 'replay', id, '--since', '2999-01-01T00:00:00Z'], 1, '--since is after the last event'],
      [['webhooks', 'deliveries', id, '--record', '1'], 2, '--record needs --account'],
    ]
    for (const [words, code, text] of cases) {
      const result = await unirec(words)
      expect([result.code, result.stderr], words.join(' ')).toEqual([code, expect.stringContaining(text)])
    }
    expect((await unirec(['webhooks', 'delete', id])).code).toBe(0)
    deployed.respond = (_, response) => void response.writeHead(204).end()
  })

  it('delivers as a webhook endpoint does, in order, again after failures and after the service was killed', async () => {
    expect((await unirec(['watch', 'set', account, 'customer'])).code).toBe(0)
    const added = JSON.parse((await unirec(['webhooks', 'add', deployed.url, '--json'])).stdout) as {
      id: string
      secret: string
    }
    deployed.secrets.push(added.secret)
    const listening = startCli(['listen', '--forward', local.url], { environment })
    const noted = (pattern: RegExp) => until(String(pattern), () => pattern.exec(listening.stderr()) ?? undefined)
    local.secrets.push((await noted(/^secret: (whsec_\S+)$/m))[1] as string)
    await noted(new RegExp(`^listening +${account}$`, 'm'))

    const seen = new Map<string, number>()
    local.respond = ({ id }, response) => {
      const times = seen.get(id) ?? 0
      seen.set(id, times + 1)
      if (times === 0) response.socket?.destroy()
      else if (times === 1) response.writeHead(500).end()
      else response.writeHead(204).end()
    }
    const id = await write('C-1', 'Ada')
    await until('the first event', () => about(local, id).length >= 3)
    await write('C-1', 'Ada Lovelace', id)
    await until('the second event', () => about(local, id).length >= 6)
    const events = about(local, id)
    expect(events.map((one) => one.event.data.record.name)).toEqual([
      ...['Ada', 'Ada', 'Ada'],
      ...['Ada Lovelace', 'Ada Lovelace', 'Ada Lovelace'],
    ])
    expect(new Set(events.map((one) => one.id)).size).toBe(2)
    await noted(/^not delivered +customer.created .*again in 0.5 s$/m)
    await noted(/^delivered +customer.updated/m)
    const real = await until('the same events', () => about(deployed, id).length === 2 && about(deployed, id))
    expect([events[0]?.body, events[3]?.body]).toEqual(real.map(({ body }) => body))
    for (const name of ['content-type', 'user-agent']) expect(events[0]?.headers[name]).toBe(real[0]?.headers[name])
    const list = [
      'webhooks',
      'deliveries',
      added.id,
      '--event',
      'customer.updated',
      '--account',
      account,
      '--record',
      id,
    ]
    const [header, row, ...more] = await until('a delivery', async () => {
      const lines = (await unirec([...list, '--state', 'delivered'])).stdout.trim().split('\n')
      return lines.length > 1 && lines
    })
    expect(header).toMatch(/^created +delivery +event +account +record +sequence +state +attempts +last attempt/)
    const sequence = events[3]?.event.data.sequence
    expect(row).toMatch(
      new RegExp(` customer.updated +${account} +${id} +${sequence} +delivered +1 +204 after \\d+ ms$`),
    )
    expect(more).toEqual([])

    await service.kill('SIGKILL')
    await noted(/^reconnecting/m)
    await start()
    const later = await write('C-2', 'Grace')
    await until('an event after the restart', () => about(local, later).length >= 3)
    expect([local.forged, deployed.forged]).toEqual([0, 0])

    const ended = await listening.kill('SIGINT')
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringMatching(/interrupted\n$/)])
  })

  it('works after it was killed, gives up on a receiver that always fails, prints, and reports what is lost', async () => {
    const secret = createSecret()
    local.secrets = [secret]
    const words = ['listen', '--forward', local.url, '--account', account, '--entity', 'customer', '--print']
    const given = { environment: { ...environment, UNIREC_WEBHOOK_SECRET: secret } }
    const listeningTo = (run: ReturnType<typeof startCli>) =>
      until('it listens', () => /^listening/m.test(run.stderr()))
    const first = startCli(words, given)
    await listeningTo(first)
    expect(first.stderr()).not.toContain(secret)
    await first.kill('SIGKILL')
    const second = startCli(words, given)
    await listeningTo(second)
    local.respond = ({ event }, response) =>
      void response.writeHead(event.data.record?.name === 'Refused' ? 503 : 200).end()
    const id = await write('C-3', 'Refused')
    await until('it gives up', () => /^not delivered .*503; given up$/m.test(second.stderr()))
    await write('C-3', 'Accepted', id)
    await until('the next event', () => about(local, id).some(({ event }) => event.data.record.name === 'Accepted'))
    const attempts = about(local, id).map(({ event }) => event.data.record.name)
    expect(attempts).toEqual([...Array<string>(5).fill('Refused'), 'Accepted'])

    // While it stands still, the entity is watched again: what happened meanwhile is unknown.
    void second.kill('SIGSTOP')
    expect((await unirec(['watch', 'stop', account, 'customer'])).code).toBe(0)
    expect((await unirec(['watch', 'set', account, 'customer'])).code).toBe(0)
    void second.kill('SIGCONT')
    const { event } = await until('changes.lost', () => local.received.find((one) => one.event.type === 'changes.lost'))
    expect(event.data).toEqual({ accountId: account, reason: 'watched again' })
    expect((await unirec(['watch', 'stop', account, 'customer'])).code).toBe(0)
    const { code, stdout, stderr } = await second.ended
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^not watched +sandbox-square-restaurant$/m)])
    const printed = stdout.trim().split('\n')
    expect(printed.filter((line) => line.includes(id))).toEqual([...new Set(about(local, id).map(({ body }) => body))])
    expect(local.forged).toBe(0)
  })
})
