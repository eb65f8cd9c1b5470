// npm run pin-revisions [-- --capture PLATFORM …]: writes src/conformance/revisions.ndjson again. Refuses while the rows
// of a pin give other records and the revision was not raised. Rows of new entities, and with --capture of these
// platforms, are read from the simulators.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHarness } from '../../src/conformance/harness.ts'
import { nameOf, type Pin, pinned, problemWith } from '../../src/conformance/revisions.ts'
import { entityTypes } from '../../src/contract/entity.ts'
import { adapterOf } from '../../src/engine/support.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import type { Account } from '../../src/store/store.ts'

const file = join(import.meta.dirname, '../../src/conformance/revisions.ndjson')
const rowsPerEntity = 2
const longestRow = 6000
const at = process.argv.indexOf('--capture')
const captured = new Set(at < 0 ? [] : process.argv.slice(at + 1))

const known = new Map<string, Pin>()
if (existsSync(file))
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const pin = JSON.parse(line) as Pin
    known.set(nameOf(pin), pin)
  }
const blocked = [...known.values()].flatMap((pin) => {
  const found = problemWith(connectors, pin)
  return found?.blocked ? [found.problem] : []
})
if (blocked.length > 0) {
  console.error(blocked.join('\n'))
  process.exit(1)
}

/** The rows with the most content that are not too long for the file. */
function chosen(rows: readonly unknown[], url: string): unknown[] {
  const texts = rows.map((row) => JSON.stringify(row).replaceAll(url, 'https://platform.example'))
  const short = texts.filter((text) => text.length <= longestRow)
  return (short.length > 0 ? short : texts)
    .toSorted((left, right) => right.length - left.length)
    .slice(0, rowsPerEntity)
    .map((text) => JSON.parse(text))
}
async function capture(platform: string): Promise<Pin[]> {
  const harness = await createHarness({ connectors, simulators, platform, ownDisk: true })
  try {
    const { engine, store } = harness.service
    const pins: Pin[] = []
    for (const { vertical } of harness.tenants)
      for (const entityType of entityTypes) {
        if (!adapterOf(harness.connector, vertical, entityType)) continue
        const account = (await store.accounts.get(harness.accountId(vertical))) as Account
        const context = { requestId: 'pin', caller: 'pin', maxWaitMs: 60_000, background: true } as const
        const position = { size: 50, place: {} }
        const { rows } = await engine.background.page(engine.target(account, entityType), position, context)
        const { settings } = engine.view(account)
        const pin = { platform, vertical, entityType, normalizer: 0, revision: 0, unified: '', settings }
        pins.push({ ...pin, rows: chosen(rows, harness.sandbox.url) })
      }
    return pins
  } finally {
    await harness.close()
  }
}

const lines: Pin[] = []
for (const [platform, connector] of Object.entries(connectors)) {
  const names = connector.verticals.flatMap((vertical) =>
    entityTypes
      .filter((entityType) => adapterOf(connector, vertical, entityType))
      .map((entityType) => nameOf({ platform, vertical, entityType })),
  )
  const isNew = names.some((name) => !known.has(name))
  const fresh = isNew || captured.has(platform) ? await capture(platform) : []
  for (const name of names) {
    const read = fresh.find((pin) => nameOf(pin) === name)
    const pin = captured.has(platform) ? read : (known.get(name) ?? read)
    const now = pin && pinned(connectors, pin)
    if (now) lines.push(now)
  }
}
writeFileSync(file, lines.map((pin) => `${JSON.stringify(pin)}\n`).join(''))
console.log(`${lines.length} entities pinned`)
process.exit(0)
