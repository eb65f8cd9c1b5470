// One instance in front of the platform of these tests, in a process of its own that can be killed.
import { createService } from '../../src/service.ts'
import { hookedPlatform, ofAccount } from './hooked-platform.ts'

const { DATA_DIR, SANDBOX_ORIGIN, KEY, ADMIN_TOKEN } = process.env as Record<string, string>
const service = await createService({
  config: {
    host: '127.0.0.1',
    port: 0,
    dataDir: DATA_DIR as string,
    sandbox: true,
    encryptionKeys: [Buffer.from(KEY as string, 'base64')],
    logLevel: 'fatal',
    paceScale: 0.01,
    callTimeoutMs: 700,
    adminToken: ADMIN_TOKEN as string,
    databaseUrl: process.env.DATABASE_URL,
  },
  connectors: hookedPlatform(ofAccount).connectors,
  originOverride: () => SANDBOX_ORIGIN,
})
console.log(`listening on ${await service.listen()}\n`)
