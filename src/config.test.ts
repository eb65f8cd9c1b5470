import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const read = (environment: NodeJS.ProcessEnv) => readConfig({ ENCRYPTION_KEY: '0'.repeat(64), ...environment })

it('takes lists of hosts and proxies, and refuses what is neither', () => {
  expect(read({ ALLOWED_HOSTS: 'shop.internal, 10.0.0.5:8443,[fd00::1]:443' }).allowedHosts).toEqual(['shop.internal', '10.0.0.5:8443', '[fd00::1]:443'])
  expect(read({ TRUST_PROXY: '10.0.0.0/8,loopback,fd00::/8' }).trustProxy).toEqual(['10.0.0.0/8', 'loopback', 'fd00::/8'])
  expect([read({}).allowedHosts, read({}).trustProxy]).toEqual([[], []])
  for (const wrong of ['https://shop.internal', 'shop internal', '*', 'a:b']) expect(() => read({ ALLOWED_HOSTS: wrong }), wrong).toThrow('ALLOWED_HOSTS')
  for (const wrong of ['true', 'proxy.internal', '*']) expect(() => read({ TRUST_PROXY: wrong }), wrong).toThrow('TRUST_PROXY')
})
it('takes limits within reason', () => {
  expect(read({ MAX_IN_FLIGHT: '5', SHED_WAIT_MS: '0' }).limits).toMatchObject({ maxInFlight: 5, shedWaitMs: 0, credentialConcurrency: 1000 })
  expect(() => read({ MAX_IN_FLIGHT: '0' })).toThrow('MAX_IN_FLIGHT')
})
