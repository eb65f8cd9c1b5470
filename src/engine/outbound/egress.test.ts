// Settings name hosts, and hosts lead anywhere: what must never be called, however it is spelled or resolved.
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { connectors } from '../../platforms/registry.ts'
import type { Account } from '../../store/store.ts'
import { createEgress, isPublic } from './egress.ts'
import { addressOf } from './origin.ts'
import { createTransport } from './transport.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
/** Counts connections. */
async function listen(): Promise<{ port: number; knocks(): number }> {
  let knocks = 0
  const server = createServer((socket) => {
    knocks++
    socket.destroy()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, knocks: () => knocks }
}
const answering =
  (...answers: string[][]) =>
  (_: string, __: unknown, done: (error: null, found: { address: string; family: number }[]) => void) => {
    const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
const get = (origin: string, options: Parameters<typeof createEgress>[0] = {}) => {
  const transport = createTransport({ egress: createEgress(options) })
  return transport
    .exchange({ method: 'GET', origin, path: '/', headers: {}, timeoutMs: 2000 })
    .finally(() => transport.close())
}
const refused = { name: 'Problem', code: 'forbidden' }

describe('an address', () => {
  it.each([
    [
      'loopback',
      [
        '127.0.0.1',
        '127.255.255.254',
        '::1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '0:0:0:0:0:ffff:7f00:0001',
        '::127.0.0.1',
      ],
    ],
    ['this host', ['0.0.0.0', '::', '::ffff:0.0.0.0']],
    [
      'private',
      [
        '10.1.2.3',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        'fd00::1',
        'fc00::1',
        'fdff:ffff::1',
        '::ffff:10.0.0.1',
      ],
    ],
    [
      'link-local or a metadata service',
      [
        '169.254.169.254',
        '169.254.170.2',
        'fe80::1',
        'fe80::1%eth0',
        'fd00:ec2::254',
        '100.100.100.200',
        '192.0.0.192',
        '::ffff:169.254.169.254',
      ],
    ],
    ['behind carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    [
      'translated or tunnelled to a private one',
      ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2002:a00:1::1', '2001:0:7f00:1::'],
    ],
    [
      'multicast, broadcast, reserved or for documentation',
      [
        '224.0.0.1',
        '255.255.255.255',
        '240.0.0.1',
        '198.18.0.1',
        '203.0.113.9',
        'ff02::1',
        '2001:db8::1',
        '100::1',
        'fec0::1',
      ],
    ],
    ['no address at all', ['', 'localhost', 'example.com']],
  ])('that is %s is not public', (_, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([])
  })
  it('of the open internet is public, also where NAT64 makes it look otherwise', () => {
    const addresses = [
      '8.8.8.8',
      '100.63.255.255',
      '172.32.0.1',
      '1.1.1.1',
      '2606:4700::1111',
      '2a00:1450::1',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
    ]
    expect(addresses.filter(isPublic)).toEqual(addresses)
  })
})

describe('a host', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '①②⑦.⓪.⓪.①',
    '0',
    'localhost.',
  ])('that is spelt %s is not called', async (host) => {
    const { knocks } = await listen()
    await expect(get(`https://${host}`)).rejects.toMatchObject(refused)
    expect(knocks()).toBe(0)
  })
  it('is called by https and port 443 only', async () => {
    const { port, knocks } = await listen()
    for (const origin of [
      `http://127.0.0.1:${port}`,
      'http://shop.example.com',
      'https://shop.example.com:22',
      'ftp://shop.example.com',
      'file:///etc/passwd',
    ])
      await expect(get(origin, { resolve: answering(['127.0.0.1']) }), origin).rejects.toMatchObject(refused)
    expect(knocks()).toBe(0)
  })
  it('whose name leads inside is not called, at any of its addresses', async () => {
    const { knocks } = await listen()
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'])
      await expect(get('https://shop.example.com', { resolve: answering([address]) }), address).rejects.toMatchObject(
        refused,
      )
    expect(knocks()).toBe(0)
  })
  it('is looked at every time its name is resolved, so an answer that changes does not slip through', async () => {
    const { lookup } = createEgress({ resolve: answering(['8.8.8.8', '127.0.0.1'], ['127.0.0.1']) })
    const ask = () =>
      new Promise((resolve, reject) =>
        lookup('shop.example.com', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      )
    expect(await ask()).toEqual([{ address: '8.8.8.8', family: 4 }])
    await expect(ask()).rejects.toMatchObject({ code: 'EGRESS_REFUSED' })
  })
  it('that the operator allows is called wherever it is, by https all the same', async () => {
    const { port, knocks } = await listen()
    const options = { allowedHosts: [`shop.internal:${port}`], resolve: answering(['127.0.0.1']) }
    await expect(get(`https://shop.internal:${port}`, options)).rejects.toMatchObject({ name: 'TransportError' })
    expect(knocks()).toBe(1)
    await expect(get(`http://shop.internal:${port}`, options)).rejects.toMatchObject(refused)
    await expect(get(`https://other.internal:${port}`, options)).rejects.toMatchObject(refused)
    expect(knocks()).toBe(1)
  })
})

describe('the address of an account', () => {
  const account = (platform: string, settings: Record<string, string>, credentials: Record<string, string> = {}) =>
    ({ platform, settings, credentials }) as unknown as Account
  const address = (platform: string, ...values: [Record<string, string>, Record<string, string>?]) =>
    addressOf(connectors[platform] as (typeof connectors)[string], account(platform, ...values), 'api', {})

  it('comes out of values that look like the setting of their name, wherever they were found', () => {
    expect(address('zoho-books', {}, { apiDomain: 'https://www.zohoapis.eu' })).toEqual({
      origin: 'https://www.zohoapis.eu',
    })
    for (const [platform, values] of [
      ['zoho-books', { apiDomain: 'https://collector.example' }],
      ['shopify', { shop: 'shop.myshopify.com.example' }],
      ['shopify', { shop: 'collector.example/#.myshopify.com' }],
      ['clover', { apiHost: 'collector.example' }],
      ['toast', { apiHost: '169.254.169.254' }],
      ['square', { apiHost: 'connect.squareup.com.collector.example' }],
      ['square', { apiHost: 'connectXsquareup.com' }],
      ['quickbooks-online', { apiHost: 'quickbooks.api.intuit.com:8443' }],
      ['lightspeed-k', { apiHost: '127.0.0.1' }],
      ['lightspeed-x', { domainPrefix: 'collector.example/' }],
      ['woocommerce', { shop: '127.0.0.1' }],
      ['woocommerce', { shop: 'user@shop.example.com' }],
      ['woocommerce', { shop: 'localhost' }],
    ] as const) {
      expect(() => address(platform, values), JSON.stringify(values)).toThrow('forbidden')
      expect(() => address(platform, {}, values), JSON.stringify(values)).toThrow('forbidden')
    }
  })
  it('has the default of a setting that the account does not have', () => {
    const origin = (platform: string, settings = {}) => address(platform, settings).origin
    expect(origin('square')).toBe('https://connect.squareup.com')
    expect(origin('quickbooks-online')).toBe('https://quickbooks.api.intuit.com')
    for (const [platform, apiHost] of [
      ['square', 'connect.squareupsandbox.com'],
      ['quickbooks-online', 'sandbox-quickbooks.api.intuit.com'],
    ] as const)
      expect(origin(platform, { apiHost })).toBe(`https://${apiHost}`)
  })
  it('is the sandbox only where there is one', () => {
    const wanted = account('woocommerce', { shop: 'shop.example.com' })
    const connector = connectors.woocommerce as (typeof connectors)[string]
    expect(addressOf(connector, wanted, 'api', { originOverride: () => 'http://127.0.0.1:1/woocommerce' })).toEqual({
      origin: 'http://127.0.0.1:1/woocommerce',
      sandbox: true,
    })
    expect(addressOf(connector, wanted, 'api', {})).toEqual({ origin: 'https://shop.example.com' })
  })
})
