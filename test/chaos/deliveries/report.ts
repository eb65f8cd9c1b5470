// The summary of a run.
import { deliveryViolationKinds } from './checker.ts'
import type { DeliveryChaosResult } from './run.ts'

/** Of each kind. */
const shown = 10

export function reportDeliveries(result: DeliveryChaosResult): string {
  const { endpoints, faults, violations } = result
  const lines = [
    `${result.changes} changes of ${result.accounts} accounts, ${endpoints.length} endpoints`,
    ...endpoints.map(
      ({ name, wanted, due, counts }) =>
        `${name}: ${wanted} changes, ${due} must arrive, ${counts.first} arrived, ${counts.again} requests repeated, ${counts.requests} in all`,
    ),
    `receivers: ${Object.entries(faults)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
    `${result.kills} kills, ${result.pauses} pauses, ${result.settings} changes of settings; ${Math.round(result.seconds)} s`,
  ]
  for (const kind of deliveryViolationKinds) {
    const own = violations.filter((one) => one.kind === kind)
    for (const { site, detail } of own.slice(0, shown)) lines.push(`${kind.toUpperCase()} ${site}: ${detail}`)
    if (own.length > shown) lines.push(`… and ${own.length - shown} more ${kind}`)
  }
  const found = deliveryViolationKinds.map((kind) => `${violations.filter((one) => one.kind === kind).length} ${kind}`)
  lines.push(`${violations.length === 0 ? 'PASSED' : 'FAILED'}: ${found.join(', ')}`)
  return lines.join('\n')
}
