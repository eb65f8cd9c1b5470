// The service on a sandbox whose consoles know no webhook: the benchmark sends them itself, one per change and account.
import { readConfig } from '../src/config.ts'
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
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
console.log(`listening on ${address}`)
