// Chosen interruptions, for every `npm test`: processes that stand still, and effects that come after the response.
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../postgres.ts'
import { justInside, runLate } from './late.ts'
import { runStandstill } from './standstill.ts'

const callTimeoutMs = 5000

it.concurrent('a process that is stopped, or separated from its database, beyond its lease sends and undoes nothing when it goes on', async () => {
  expect(
    await runStandstill({ databaseUrl: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  ).toEqual([])
})

it.concurrent('a call that takes effect after its response was lost is written once, and a reference to its key waits for it', async () => {
  expect(await runLate({ callTimeoutMs, delaysMs: [4000, justInside(callTimeoutMs)] })).toEqual([])
})
