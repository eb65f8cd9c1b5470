// Chosen interruptions, for every `npm test`: processes that stand still, and effects that come after the response.
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../postgres.ts'
import { justInside, runLate } from './late.ts'
import { runStandstill } from './standstill.ts'

const unsafe = (off: string) => ({ script: 'test/chaos/unsafe-instance.ts', environment: { SAFEGUARD_OFF: off } })
const callTimeoutMs = 5000

it.concurrent('a process that is stopped, or separated from its database, beyond its lease sends and undoes nothing when it goes on', async () => {
  expect(await runStandstill({ databaseUrl: await freshDatabase(inject('postgresUrl')) })).toEqual([])
}, 180_000)

it.concurrent('a call that takes effect after its response was lost is written once, and a reference to its key waits for it', async () => {
  expect(await runLate({ callTimeoutMs, delaysMs: [4000, justInside(callTimeoutMs)] })).toEqual([])
}, 180_000)

it.concurrent('without the fence, a stopped process sends again, undoes what was acknowledged, and overwrites a newer update', async () => {
  const databaseUrl = await freshDatabase(inject('postgresUrl'))
  const violations = await runStandstill({ databaseUrl, ...unsafe('fence') })
  expect(violations).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'duplicated', site: 'woocommerce retail_pos product' }),
      expect.objectContaining({ kind: 'lost', site: 'clover restaurant order' }),
      expect.objectContaining({ kind: 'lost', site: 'bigcommerce retail_pos customer' }),
    ]),
  )
}, 180_000)

it.concurrent('without the absence bound, a call that takes effect late is written twice', async () => {
  const violations = await runLate({ callTimeoutMs, delaysMs: [4000], ...unsafe('absence bound') })
  expect(violations).toContainEqual(expect.objectContaining({ kind: 'duplicated', site: 'clover restaurant customer' }))
}, 180_000)
