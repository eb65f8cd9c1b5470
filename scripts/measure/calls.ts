// node scripts/measure/calls.ts [platform …]: prints the calls per 1 000 records of all platforms, or of these, as JSON.
// `npm run docs -- --measure` stores them in docs/generated/calls.json. The date of this process is fixed and its random
// values come from a fixed sequence, so the figures are the same in every run.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'
import type { CallCounts } from '../../src/conformance/calls.ts'
import type { Connector } from '../../src/contract/connector.ts'
import type { Vertical } from '../../src/contract/entity.ts'
import { connectors } from '../../src/platforms/registry.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

let drawn = 0
function bytes(size: number): Buffer {
  const parts: Buffer[] = []
  for (let length = 0; length < size; length += 32)
    parts.push(crypto.createHash('sha256').update(String(drawn++)).digest())
  return Buffer.concat(parts).subarray(0, size)
}
const below = (limit: number): number => bytes(6).readUIntBE(0, 6) % limit
Object.assign(crypto, {
  randomBytes: bytes,
  randomInt: (first: number, limit?: number) => (limit === undefined ? below(first) : first + below(limit - first)),
  randomUUID: () =>
    bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5'),
})
syncBuiltinESMExports()
Math.random = () => below(2 ** 47) / 2 ** 47
mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-02T15:00:00Z') })

const given = process.argv.slice(2)
const unknown = given.filter((platform) => !connectors[platform])
if (unknown.length > 0) {
  console.error(`Unknown platform: ${unknown.join(', ')}. The platforms are ${Object.keys(connectors).join(', ')}.`)
  process.exit(2)
}
// After the check of the names, because it takes a second.
const { measureCalls } = await import('../../src/conformance/calls.ts')
const { simulators } = await import('../../src/platforms/simulators.ts')
const restart = () => {
  drawn = 0
}
const counts: Record<string, Partial<Record<Vertical, CallCounts>>> = {}
for (const platform of given.length > 0 ? given : Object.keys(connectors)) {
  const connector = connectors[platform] as Connector
  const measured: Partial<Record<Vertical, CallCounts>> = {}
  for (const vertical of connector.verticals)
    measured[vertical] = await measureCalls(connector, simulators[platform] as CreateSimulator, vertical, restart)
  counts[platform] = measured
}
console.log(JSON.stringify(counts))
