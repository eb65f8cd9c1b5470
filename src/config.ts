// The environment, read once. Everything has a default, so that a fresh clone starts without configuration.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl?: string
  sandbox: boolean
  sandboxUrl?: string // a sandbox that runs already, instead of one of our own
  encryptionKeys: Buffer[] // newest first
  logLevel: string
  paceScale: number
  maxWaitMs: number
  callTimeoutMs: number
  shutdownMs?: number
  adminToken?: string
  publicUrl?: string
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const dataDir = resolve(environment.DATA_DIR || './data')
  const adminToken = environment.ADMIN_TOKEN
  if (adminToken && adminToken.length < 32) throw new Error('ADMIN_TOKEN must have at least 32 characters')
  return {
    host: environment.HOST || '127.0.0.1',
    port: number(environment, 'PORT', 8080, { min: 0, max: 65_535 }),
    dataDir,
    ...(environment.DATABASE_URL ? { databaseUrl: environment.DATABASE_URL } : {}),
    sandbox: !/^(off|false|0|no)$/i.test(environment.SANDBOX ?? 'on'),
    ...(environment.SANDBOX_URL ? { sandboxUrl: environment.SANDBOX_URL.replace(/\/+$/, '') } : {}),
    encryptionKeys: encryptionKeys(environment.ENCRYPTION_KEY, dataDir),
    logLevel: environment.LOG_LEVEL || 'warn',
    paceScale: number(environment, 'PACE_SCALE', 1, { min: 0.0001, max: 1 }),
    maxWaitMs: number(environment, 'MAX_WAIT_MS', 10_000, { min: 0, max: 60_000 }),
    callTimeoutMs: number(environment, 'CALL_TIMEOUT_MS', 35_000, { min: 10, max: 300_000 }),
    shutdownMs: number(environment, 'SHUTDOWN_MS', 25_000, { min: 0, max: 600_000 }),
    ...(adminToken ? { adminToken } : {}),
    ...(environment.PUBLIC_URL ? { publicUrl: environment.PUBLIC_URL.replace(/\/+$/, '') } : {}),
  }
}

function number(environment: NodeJS.ProcessEnv, name: string, fallback: number, { min, max }: { min: number; max: number }): number {
  const text = environment[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value < min || value > max) throw new Error(`${name} must be a number from ${min} to ${max}, not "${text}"`)
  return value
}

/** Comma-separated, newest first, base64 or hex of 32 bytes; without one, a key is made in the data directory for its owner's eyes only. */
function encryptionKeys(text: string | undefined, dataDir: string): Buffer[] {
  if (text) return text.split(',').map((part) => parseKey(part.trim(), 'ENCRYPTION_KEY'))
  const file = join(dataDir, 'encryption.key')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) {
    try {
      writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another instance was faster
    }
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
    .split(/\s+/)
    .filter(Boolean)
    .map((line) => parseKey(line, file))
}

function parseKey(text: string, where: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${where} must hold 32 bytes as base64 or hex`)
  return key
}
