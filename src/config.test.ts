import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const read = (environment: NodeJS.ProcessEnv) => readConfig({ ENCRYPTION_KEY: '0'.repeat(64), ...environment })

it('takes lists of hosts and proxies, and refuses what is neither', () => {
  expect(read({ ALLOWED_HOSTS: 'shop.internal, 10.0.0.5:8443,[fd00::1]:443' }).allowedHosts).toEqual([
    'shop.internal',
    '10.0.0.5:8443',
    '[fd00::1]:443',
  ])
  expect(read({ TRUST_PROXY: '10.0.0.0/8,loopback,fd00::/8' }).trustProxy).toEqual([
    '10.0.0.0/8',
    'loopback',
    'fd00::/8',
  ])
  expect([read({}).allowedHosts, read({}).trustProxy]).toEqual([[], []])
  for (const wrong of ['https://shop.internal', 'shop internal', '*', 'a:b'])
    expect(() => read({ ALLOWED_HOSTS: wrong }), wrong).toThrow('ALLOWED_HOSTS')
  for (const wrong of ['true', 'proxy.internal', '*'])
    expect(() => read({ TRUST_PROXY: wrong }), wrong).toThrow('TRUST_PROXY')
})
it('takes origins of web pages, and refuses what a browser never sends', () => {
  expect(read({ CORS_ORIGINS: 'https://app.example.com, http://localhost:3000' }).corsOrigins).toEqual([
    'https://app.example.com',
    'http://localhost:3000',
  ])
  expect([read({}).corsOrigins, read({ CORS_ORIGINS: '*' }).corsOrigins]).toEqual([[], ['*']])
  for (const wrong of ['app.example.com', 'https://app.example.com/', 'https://*.example.com', 'null'])
    expect(() => read({ CORS_ORIGINS: wrong }), wrong).toThrow('CORS_ORIGINS')
})
it('takes limits within reason', () => {
  expect(read({ MAX_IN_FLIGHT: '5', SHED_WAIT_MS: '0' }).limits).toMatchObject({
    maxInFlight: 5,
    shedWaitMs: 0,
    credentialConcurrency: 1000,
  })
  expect(() => read({ MAX_IN_FLIGHT: '0' })).toThrow('MAX_IN_FLIGHT')
})
it('takes a management port and a metrics token, and says what is wrong with others', () => {
  expect(read({ MANAGE_PORT: '9090', HOST: '0.0.0.0', METRICS_TOKEN: 'sixteen-letters.' })).toMatchObject({
    host: '0.0.0.0',
    manage: { host: '127.0.0.1', port: 9090 },
    metricsToken: 'sixteen-letters.',
  })
  expect(read({ PORT: '0', MANAGE_PORT: '0', MANAGE_HOST: '10.0.0.1' }).manage).toEqual({ host: '10.0.0.1', port: 0 })
  expect(read({ MANAGE_PORT: '', METRICS_TOKEN: '' })).not.toHaveProperty('manage')
  for (const [wrong, message] of [
    [{ MANAGE_PORT: '8080' }, 'MANAGE_PORT must differ from PORT; both are 8080'],
    [{ MANAGE_PORT: '65536' }, 'MANAGE_PORT must be a whole number from 0 to 65535, not "65536"'],
    [{ PORT: '80.5' }, 'PORT must be a whole number'],
    [{ MANAGE_HOST: '10.0.0.1' }, 'MANAGE_HOST has no effect without MANAGE_PORT'],
    [{ METRICS_TOKEN: 'fifteen-letters' }, 'METRICS_TOKEN must have at least 16 characters'],
    [{ METRICS_TOKEN: 'a token with spaces in it' }, 'METRICS_TOKEN may only contain'],
  ] as const)
    expect(() => read(wrong), message).toThrow(message)
})
it('takes an identity provider, and says what is missing or wrong', () => {
  const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'c' }
  expect(read({}).oidc).toBeUndefined()
  expect(read({ ...oidc, OIDC_ALLOWED_DOMAINS: 'Example.com', OIDC_DEFAULT_WORKSPACE: 'w' }).oidc).toEqual({
    issuer: 'https://id.example.com',
    clientId: 'c',
    domains: ['example.com'],
    workspaceId: 'w',
    role: 'viewer',
  })
  expect(read({ ...oidc, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc?.issuer).toBe('http://127.0.0.1:9000')
  for (const [wrong, named] of [
    [{ OIDC_CLIENT_SECRET: 's' }, /OIDC_CLIENT_SECRET has no effect without OIDC_ISSUER/],
    [{ OIDC_ISSUER: 'https://id.example.com' }, /OIDC_CLIENT_ID must be set/],
    [{ ...oidc, OIDC_ISSUER: 'http://id.example.com' }, /OIDC_ISSUER must be an https URL/],
    [{ ...oidc, OIDC_DEFAULT_ROLE: 'owner' }, /OIDC_DEFAULT_ROLE must be one of viewer, operator, admin/],
    [{ ...oidc, OIDC_ALLOWED_DOMAINS: 'example.com' }, /belong together/],
  ] as const)
    expect(() => read(wrong)).toThrow(named)
})
it('takes switches and URLs, and refuses what is neither', () => {
  expect(read({}).readAhead).toBe(true)
  for (const off of ['off', 'false', '0', 'No']) expect(read({ READ_AHEAD: off }).readAhead, off).toBe(false)
  for (const on of ['', 'on', 'TRUE', '1', 'yes']) expect(read({ SANDBOX: on }).sandbox, on).toBe(true)
  expect(read({ PUBLIC_URL: 'https://api.example.com/' }).publicUrl).toBe('https://api.example.com')
  for (const [wrong, message] of [
    [{ SANDBOX: 'maybe' }, 'SANDBOX must be on or off, not "maybe"'],
    [{ READ_AHEAD: 'of' }, 'READ_AHEAD must be on or off'],
    [{ HTTPS_PROXY: 'proxy:3128', PROXY_RESOLVES_NAMES: 'always' }, 'PROXY_RESOLVES_NAMES must be on or off'],
    [{ PUBLIC_URL: 'api.example.com' }, 'PUBLIC_URL must be an http or https URL'],
    [{ SANDBOX_URL: 'localhost:9000' }, 'SANDBOX_URL must be an http or https URL'],
  ] as const)
    expect(() => read(wrong), message).toThrow(message)
})
it('takes the URL of a PostgreSQL database only, and does not repeat another one, which can have a password', () => {
  const folder = join(tmpdir(), 'unified-records-never-made')
  for (const [name, others] of [
    ['DATABASE_URL', {}],
    ['DATABASE_DIRECT_URL', { DATABASE_URL: 'postgres://database/records' }],
  ] as const) {
    const message = `${name} must begin with postgres:// or postgresql://, as in postgres://user:password@host/name`
    expect(() =>
      read({ ENCRYPTION_KEY: '', DATA_DIR: folder, ...others, [name]: 'mysql://me:hidden@host/db' }),
    ).toThrow(new Error(message))
  }
  expect(existsSync(folder)).toBe(false)
})
it('makes a data directory and a key for its owner only, and names an earlier key where ENCRYPTION_KEY is required', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-config-'))
  const path = join(folder, 'encryption.key')
  writeFileSync(path, Buffer.alloc(32).toString('base64'))
  const environment = { ENCRYPTION_KEY: '', DATA_DIR: folder, DATABASE_URL: 'postgres://database/records' }
  expect(() => read({ ...environment, SANDBOX: 'off' })).toThrow(`set it to the key in ${path}`)
  expect(read(environment).keyFile).toEqual({ path, isNew: false })
  const made = join(folder, 'new', 'data')
  expect(read({ ENCRYPTION_KEY: '', DATA_DIR: made }).keyFile).toMatchObject({ isNew: true })
  for (const directory of [dirname(made), made]) expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(() => read({ ENCRYPTION_KEY: '', DATA_DIR: path })).toThrow(`DATA_DIR ${path} cannot be written (EEXIST)`)
  rmSync(folder, { recursive: true })
})

it('warns about variables that are one letter from a setting, without their values', () => {
  const environment = { DATABSE_URL: 'postgres://user:secret@db/x', SANDBX: 'off', sandbox: 'off', LOGLEVEL: 'warn' }
  expect(read(environment).warnings).toEqual([
    'DATABSE_URL is not a setting and has no effect; did you mean DATABASE_URL?',
    'SANDBX is not a setting and has no effect; did you mean SANDBOX?',
    'sandbox is not a setting and has no effect; did you mean SANDBOX?',
    'LOGLEVEL is not a setting and has no effect; did you mean LOG_LEVEL?',
  ])
  const usual = { HTTP_PROXY: 'x', http_proxy: 'x', no_proxy: 'x', HOSTNAME: 'x', SPORT: 'x', DATABASE_URL_OTHER: 'x' }
  expect(read({ ...usual, SANDBOX_URL: '', ADMIN_TOKN: '' }).warnings).toEqual([])
  const misspelled = { SANDBOX: 'off', DATABASE_URL: 'postgres://db/x', ENCRYPTON_KEY: 'secret' }
  expect(() => readConfig({ DATA_DIR: join(tmpdir(), 'unified-records-none'), ...misspelled })).toThrow(
    /^ENCRYPTION_KEY must be set .*database\. ENCRYPTON_KEY is not a setting and has no effect; did you mean ENCRYPTION_KEY\?$/,
  )
})
