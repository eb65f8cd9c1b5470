// The service, with an address that takes hints as the route of a platform's webhooks does: it stores them, then
// responds. Its URL is in the file hints-url of the data directory.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import type { EntityType } from '../src/contract/entity.ts'
import { connectors } from '../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../src/sandbox-workspace.ts'
import { createService } from '../src/service.ts'

const config = readConfig()
const response = await fetch(`${config.sandboxUrl}/_sandbox/accounts`)
const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
const service = await createService({
  config,
  connectors,
  originOverride: (account) => `${config.sandboxUrl}/${account.platform}`,
})
const hints = createServer((request, reply) => {
  const [, accountId = '', entityType, nativeId = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
  service.store.changes
    .addHints(accountId, [{ entityType: entityType as EntityType, nativeId, origin: 'hint' }])
    .then(() => reply.writeHead(204).end())
    .catch(() => reply.writeHead(503).end())
})
await new Promise<void>((resolve) => hints.listen(0, '127.0.0.1', resolve))
writeFileSync(join(config.dataDir, 'hints-url'), `http://127.0.0.1:${(hints.address() as AddressInfo).port}`)
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
console.log(`listening on ${address}`)
