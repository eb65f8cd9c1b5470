// npm run chaos -- mcp [--writes 1000] [--agents 8] [--seed 7] [--database sqlite|postgres] [--instances 3]
// By default one instance on SQLite, then three on PostgreSQL.
import { createHarness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { runAgents } from '../../test/chaos/agents.ts'
import { chaosCommand } from './command.ts'

const { whole, onEach } = chaosCommand('test/chaos', ['writes', 'agents'])
const writes = whole('writes', 1000, 1)
const agents = whole('agents', 8, 1)
await onEach(async ({ kind, instances, seed, databaseUrl }) => {
  console.log(
    `${kind}, seed ${seed}: repeat with npm run chaos -- mcp --writes ${writes} --agents ${agents} --database ${kind} --seed ${seed}`,
  )
  const place = databaseUrl ? { databaseUrl, instances } : { ownDisk: true }
  const harness = await createHarness({ connectors, simulators, platform: 'square', ...place })
  try {
    const { calls, lost, duplicates, doubled, missing } = await runAgents({ harness, writes, agents, seed })
    console.log(
      `${writes} writes in ${calls} calls, ${lost} responses lost, ${duplicates} answered with the first record: ${doubled.length} doubled, ${missing.length} missing`,
    )
    return doubled.length + missing.length
  } finally {
    await harness.close()
  }
})
