// `npm run chaos -- changes safeguards`: the checker must fail with any safeguard off. Minutes, so not part of
// `npm test`.
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../postgres.ts'
import { type FeedChaosOptions, runFeedChaos } from './run.ts'
import { type CaseName, feedCases, runFeedCase } from './scenario.ts'
import type { FeedViolation, FeedViolationKind } from './truth.ts'
import type { FeedSafeguard } from './unsafe-instance.ts'

const unsafe = (off: FeedSafeguard) => ({
  script: 'test/chaos/changes/unsafe-instance.ts',
  environment: { SAFEGUARD_OFF: off },
})
const databaseOf = async (name: CaseName) =>
  name === 'standstill' ? freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined
/** What the checker must find, and after how many runs at most. */
const mostRuns = 5
async function noticed(
  off: FeedSafeguard,
  kinds: FeedViolationKind[],
  run: (seed: number) => Promise<FeedViolation[]>,
) {
  const found: FeedViolation[] = []
  for (let seed = 1; seed <= mostRuns; seed++) {
    found.push(...(await run(seed)))
    if (!found.some(({ kind }) => kinds.includes(kind))) continue
    console.log(`without "${off}": noticed in run ${seed}: ${[...new Set(found.map(({ kind }) => kind))].join(', ')}`)
    return
  }
  expect.fail(`not noticed in ${mostRuns} runs: ${JSON.stringify(found)}`)
}

describe('the checker fails without this safeguard', () => {
  it.each<[FeedSafeguard, CaseName, FeedViolationKind[]]>([
    ['proof by id', 'a lost page', ['false delete']],
    ['control read', 'nothing is found', ['false delete']],
    ['reads of unlisted records', 'removed while unlisted', ['missed', 'incomplete', 'stuck']],
    ['fence', 'standstill', ['older after newer', 'moved back']],
    ['epoch', 'another business', ['false delete']],
  ])(
    '%s',
    (off, name, kinds) =>
      noticed(off, kinds, async () => runFeedCase(name, { ...unsafe(off), databaseUrl: await databaseOf(name) })),
    600_000,
  )

  const storm: FeedChaosOptions = {
    changes: 400,
    perSecond: 40,
    instances: 1,
    kills: 0,
    seed: 1,
    platforms: ['loyverse', 'woocommerce'],
    pollSeconds: 30,
    walkHours: 168,
    faults: [],
  }
  it(
    'overlap',
    () =>
      noticed('overlap', ['incomplete', 'missed'], async (seed) => {
        const { violations } = await runFeedChaos({ ...storm, ...unsafe('overlap'), seed })
        return [...violations]
      }),
    600_000,
  )
  it(
    'page with its position',
    () =>
      noticed('page with its position', ['incomplete', 'missed'], async (seed) => {
        const options = { ...storm, ...unsafe('page with its position'), seed, kills: 6, platforms: ['square'] }
        return [...(await runFeedChaos(options)).violations]
      }),
    600_000,
  )
})

it.each(feedCases)(
  'nothing is wrong with all safeguards: %s',
  async (name) => {
    expect(await runFeedCase(name, { databaseUrl: await databaseOf(name) })).toEqual([])
  },
  180_000,
)
