import { expect, it } from 'vitest'
import type { Subject } from './subject.ts'
import { runCase } from './suite.ts'

const passing = { name: 'passes', run: async () => {} }
const failing = { name: 'fails', run: async () => expect(1).toBe(2) }
const subject = {} as Subject

it('a case without a waiver is unchanged', async () => {
  await runCase(passing, subject, undefined)
  await expect(runCase(failing, subject, undefined)).rejects.toThrow()
})
it('a waived case must fail, and an unnecessary waiver is an error', async () => {
  await runCase(failing, subject, 'the platform cannot')
  await expect(runCase(passing, subject, 'the platform cannot')).rejects.toThrow('stale')
})
