// Agents that lose responses and retry with fresh keys, as those do that know no idempotency: every write is sent four
// times, each time under another externalId, sometimes before the answer to the one before. Platform and network lose
// responses, too. Then each record must exist exactly once.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Harness } from '../../src/conformance/harness.ts'
import { callTool, connectHttp } from '../mcp/client.ts'
import { createRandom, type Random } from './random.ts'

export interface AgentRun {
  harness: Harness
  writes: number
  agents: number
  seed: number
  /** Without the guard: every call confirms that it means a second record. */
  confirmDuplicate?: boolean
}
export interface AgentResult {
  writes: number
  calls: number
  lost: number // responses
  duplicates: number // calls that were told of the first record
  doubled: string[]
  missing: string[]
}
const retries = 3
const lostResponses = 0.2
const target = { accountId: 'square-restaurant', entityType: 'customer' }

export async function runAgents({ harness, writes, agents, seed, confirmDuplicate }: AgentRun): Promise<AgentResult> {
  const random = createRandom(seed)
  const result: AgentResult = { writes, calls: 0, lost: 0, duplicates: 0, doubled: [], missing: [] }
  const { body } = await harness.manage('POST', '/api-keys', { name: 'agents' })
  const run = randomUUID().slice(0, 8)
  const emailOf = (n: number) => `agent-${run}-${n}@example.com`
  harness.sandbox.fault('square', { kind: 'reset_after', method: 'POST', path: '/v2/customers', probability: 0.05 })

  /** Loses what the service has answered, as a broken connection does. */
  const losing =
    (dice: Random): typeof fetch =>
    async (input, init) => {
      const response = await fetch(input, init)
      if (!String(init?.body).includes('create_record') || !dice.chance(lostResponses)) return response
      await response.arrayBuffer()
      result.lost++
      throw new TypeError('the response was lost')
    }

  async function agent(number: number): Promise<void> {
    const dice = random.fork(number)
    const client = await connectHttp(harness.url, body.key, '2026-07-28', losing(dice.fork('network')))
    const create = async (email: string, externalId: string) => {
      result.calls++
      const record = { name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', email }
      const answer = await callTool(client, 'create_record', { ...target, externalId, record, confirmDuplicate }).catch(
        () => undefined,
      )
      if (answer?.error?.code === 'possible_duplicate') result.duplicates++
      return answer
    }
    for (let n = number; n < writes; n += agents) {
      const answers: Promise<Awaited<ReturnType<typeof create>>>[] = []
      for (let attempt = 0; attempt <= retries; attempt++) {
        answers.push(create(emailOf(n), randomUUID()))
        if (!dice.chance(0.3)) await answers.at(-1)
      }
      const isSettled = (answer: Awaited<ReturnType<typeof create>>) =>
        answer?.reference !== undefined || answer?.error?.reference?.outcome === 'done'
      let known = await Promise.all(answers)
      // It does what the last error says: finish the first write under its own key.
      for (let left = 200; left > 0 && !known.some(isSettled); left--) {
        const first = known.flatMap((answer) => answer?.error?.reference?.externalId ?? [])[0]
        known = [...known.filter((answer) => answer?.error?.reference), await create(emailOf(n), first ?? randomUUID())]
        await sleep(20)
      }
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: agents }, (_, number) => agent(number)))
  harness.sandbox.clearFaults('square')

  const counts = new Map<string, number>()
  for (let query = 'pageSize=100'; query !== ''; ) {
    const { body: page } = await harness.call('GET', `/unified/${target.accountId}/customer?${query}`)
    for (const { email } of page.data) counts.set(email, (counts.get(email) ?? 0) + 1)
    query = page.pagination.cursor ? `cursor=${page.pagination.cursor}` : ''
  }
  for (let n = 0; n < writes; n++) {
    const count = counts.get(emailOf(n)) ?? 0
    if (count > 1) result.doubled.push(emailOf(n))
    if (count === 0) result.missing.push(emailOf(n))
  }
  return result
}
