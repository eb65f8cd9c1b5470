// Pins what each adapter makes of some native rows. If the same row gives another record, the adapter's `revision` must
// be raised: otherwise the change feed reports an update of every record after a deploy.
import { hash } from 'node:crypto'
import { normalizer } from '../changes/fingerprint.ts'
import type { Connector } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { unifying } from '../engine/read/list.ts'
import { createTargets } from '../engine/target.ts'
import { canonical } from '../engine/write/canonical.ts'
import type { Account } from '../store/store.ts'

/** One line of `revisions.ndjson`. */
export interface Pin {
  platform: string
  vertical: Vertical
  entityType: EntityType
  normalizer: number
  revision: number
  unified: string // hash of the records of these rows
  settings: Readonly<Record<string, string>> // of the account
  rows: readonly unknown[]
}
type Connectors = Readonly<Record<string, Connector>>
export const nameOf = ({ platform, vertical, entityType }: Pick<Pin, 'platform' | 'vertical' | 'entityType'>): string =>
  `${platform} ${vertical} ${entityType}`

/** The same pin with what the code makes of its rows now. Undefined if the platform no longer has the entity. */
export function pinned(connectors: Connectors, pin: Pin): Pin | undefined {
  const { platform, vertical, settings, entityType, rows } = pin
  if (!connectors[platform]?.entities[entityType]) return undefined
  const account = { id: 'pinned', platform, vertical, settings, credentials: {} } as unknown as Account
  const target = createTargets(connectors).target(account, entityType)
  const unify = unifying(target, undefined)
  const unified = hash('sha256', canonical(rows.map((row) => unify(row, []) ?? null)))
  return { ...pin, normalizer, revision: target.adapter.revision ?? 1, unified: unified.slice(0, 32) }
}

const update = 'run `npm run pin-revisions` and commit src/conformance/revisions.ndjson'

/** What must be done about a pin. `blocked`: before the file may be written again. */
export function problemWith(connectors: Connectors, pin: Pin): { problem: string; blocked: boolean } | undefined {
  const now = pinned(connectors, pin)
  const name = nameOf(pin)
  if (!now) return { problem: `${name}: there is no such entity; ${update}`, blocked: false }
  if (now.revision < pin.revision || now.normalizer < pin.normalizer)
    return { problem: `${name}: a revision must not be lowered; it was ${pin.revision}`, blocked: true }
  const isRaised = now.revision > pin.revision || now.normalizer > pin.normalizer
  if (now.unified !== pin.unified && !isRaised)
    return {
      problem: `${name}: the same native rows give other records, and the revision is still ${pin.revision}. Raise \`revision\` of the adapter to ${pin.revision + 1} (or \`normalizer\` in src/changes/fingerprint.ts, if every adapter is affected), then ${update}`,
      blocked: true,
    }
  return isRaised ? { problem: `${name}: the revision was raised; ${update}`, blocked: false } : undefined
}
