// The database of a large installation after two weeks: thousands of accounts on all platforms, and many requests, most
// of them from a few accounts.
import { entityTypes } from '../src/contract/entity.ts'
import { requestIdAt } from '../src/store/request-id.ts'
import type { AccountState, RecordedActivity, Store } from '../src/store/store.ts'

export interface LargeInstall {
  workspaceId: string
  platforms: readonly string[]
  accounts?: number
  entries?: number
  days?: number
  until?: number
}
const batch = 2_000
const dayMs = 24 * 3600 * 1000

/** The same numbers on every run. */
function createRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
export const largeAccountId = (index: number): string => `shop-${String(index).padStart(5, '0')}`
export const largePlatform = (platforms: readonly string[], index: number): string =>
  platforms[index % platforms.length] as string

const stateOf = (index: number): AccountState =>
  index % 97 === 0 ? 'reconnect_required' : index % 61 === 0 ? 'disabled' : 'active'

async function fillAccounts(store: Store, { workspaceId, platforms, accounts = 5_000 }: LargeInstall): Promise<void> {
  for (let first = 0; first < accounts; first += 50) {
    const batch = Array.from({ length: Math.min(50, accounts - first) }, (_, offset) => first + offset)
    await Promise.all(
      batch.map((index) =>
        store.accounts.create({
          id: largeAccountId(index),
          workspaceId,
          platform: largePlatform(platforms, index),
          vertical: 'retail_pos',
          name: `Shop ${index} of ${['Main street', 'Harbor', 'Station', 'Market'][index % 4]}`,
          state: stateOf(index),
          ...(stateOf(index) === 'active' ? {} : { stateReason: 'as it happens' }),
          settings: { locationId: `L${index}` },
          auth: 'oauth2',
          credentials: { accessToken: `token-${index}` },
        }),
      ),
    )
  }
}

function entryAt(
  at: number,
  index: number,
  random: () => number,
  { workspaceId, platforms, accounts = 5_000 }: LargeInstall,
): RecordedActivity {
  const account = Math.floor(random() ** 3 * accounts)
  const single = random() < 0.4
  const write = single && random() < 0.4
  const luck = random()
  const [status, errorCode] =
    luck < 0.97
      ? [write ? 201 : 200, undefined]
      : luck < 0.99
        ? [422, 'validation_failed']
        : luck < 0.997
          ? [502, 'downstream_error']
          : [504, 'downstream_timeout']
  const waitMs = random() < 0.2 ? random() * 900 : 0
  const platformMs = 40 + random() * 200
  return {
    workspaceId,
    requestId: requestIdAt(at) + index.toString(36).padStart(12, '0'),
    accountId: largeAccountId(account),
    platform: largePlatform(platforms, account),
    credentialId: `urk_${account % 7}`,
    method: write ? 'POST' : 'GET',
    entityType: entityTypes[Math.floor(random() * entityTypes.length)] as string,
    operation: write ? 'create' : single ? 'get' : 'list',
    status: status as number,
    errorCode: (errorCode as string) || undefined,
    totalMs: waitMs + platformMs + 4,
    waitMs,
    platformMs,
    nativeCalls: 1,
    externalId: write ? `EXT-${index}` : undefined,
    nativeId: single ? `N${Math.floor(random() * 100_000)}` : undefined,
    throttled: 0,
    used: random() * 0.9,
    trace: JSON.stringify({
      stages: [],
      calls: [
        {
          kind: write ? 'write' : 'read',
          method: 'GET',
          path: '/v2/orders',
          status: 200,
          attempt: 1,
          startMs: waitMs,
          waitedMs: waitMs,
          durationMs: platformMs,
        },
      ],
    }),
  }
}

/** Through the store's own methods, so that the data is what the service would write. */
export async function fillLargeInstall(store: Store, install: LargeInstall): Promise<void> {
  const { workspaceId, entries = 1_000_000, days = 14, until = Date.now() } = install
  if (!(await store.workspaces.get(workspaceId))) await store.workspaces.create({ id: workspaceId, name: 'Large' })
  await fillAccounts(store, install)
  const random = createRandom()
  const step = (days * dayMs) / entries
  for (let first = 0; first < entries; first += batch) {
    const size = Math.min(batch, entries - first)
    await store.activity.record(
      Array.from({ length: size }, (_, offset) =>
        entryAt(until - (entries - first - offset) * step, first + offset, random, install),
      ),
    )
  }
}
