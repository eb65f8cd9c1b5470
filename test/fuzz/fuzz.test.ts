// The short version of `npm run fuzz`.
import { expect, it } from 'vitest'
import { runNativeFuzz } from './native.ts'
import { runFuzz } from './run.ts'

const seed = 20_261_115

it('400 hostile requests and responses cause no internal error, no undocumented response and no leak', async () => {
  const { requests, kinds, statuses, violations, seconds, after } = await runFuzz({ requests: 400, seed })
  console.log(
    `fuzz: seed ${seed}, ${requests} requests in ${seconds.toFixed(1)} s, ${JSON.stringify(kinds)}, ${JSON.stringify(statuses)}, ${violations.length} violations`,
  )
  expect(
    violations.map(({ what, shrunk, repeat }) => `${what}\n${shrunk}\nrepeat: npm run fuzz -- --repeat ${repeat}`),
  ).toEqual([])
  expect(requests).toBe(400)
  for (const kind of ['valid', 'near', 'hostile', 'platform', 'page', 'raw'])
    expect(kinds[kind], kind).toBeGreaterThan(8)
  expect(statuses['201']).toBeGreaterThan(0)
  expect(after.threadReads, 'pages read in threads').toBeGreaterThan(10)
}, 600_000)

it('200 hostile native calls reach no other origin and cause no error of ours', async () => {
  const { reached, statuses, violations } = await runNativeFuzz({ requests: 200, seed })
  expect(violations).toEqual([])
  expect(reached).toBeGreaterThan(15)
  expect(statuses['422']).toBeGreaterThan(15)
})
