// Callers that write through the API while the same entities change behind its back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyRecord } from '../../../src/conformance/subject.ts'
import { connectors } from '../../../src/platforms/registry.ts'
import { type Client, untilSettled } from '../caller.ts'
import { inParallel } from '../parallel.ts'
import type { Random } from '../random.ts'
import { aliveIn, type Truth } from './truth.ts'

export interface Writer {
  /** Writes so many records, as far as the run has progressed. Returns how many were acknowledged. */
  run(writes: number, progress: () => number): Promise<number>
}
const callers = 5

export function createWriter({
  truths,
  client,
  random,
  failed,
}: {
  truths: readonly Truth[]
  client: Client
  random: Random
  failed(): boolean
}): Writer {
  // An order changes the stock of its products, which no platform stamps.
  const writable = truths.filter(({ place: { platform, entityType } }) => {
    const adapter = connectors[platform]?.entities[entityType]
    return entityType === 'customer' && adapter?.create && adapter.update
  })
  const send = (method: string, path: string, body: AnyRecord) =>
    untilSettled(client, method, path, body, random, failed)
  const person = (number: number): AnyRecord => ({
    firstName: `First${number}`,
    lastName: `Last${number}`,
    name: `First${number} Last${number}`,
  })

  async function create(truth: Truth, number: number): Promise<boolean> {
    const { accountId, entityType } = truth.place
    const from = Date.now()
    const externalId = `FEED-${accountId}-${number}`
    const email = `feed${number}@example.com`
    const reply = await send('POST', `${accountId}/${entityType}`, { externalId, email, ...person(number) })
    if (reply.status !== 201 && reply.status !== 200) return false
    const id = String(reply.body.reference.id)
    truth.written.add(id)
    truth.wrote('created', id, from, Date.now())
    return true
  }
  async function update(truth: Truth, id: string, number: number): Promise<boolean> {
    const { accountId, entityType } = truth.place
    truth.locked.add(id)
    truth.written.add(id)
    const from = Date.now()
    try {
      const path = `${accountId}/${entityType}/${encodeURIComponent(id)}`
      const read = await client.call('GET', path, undefined, random)
      if (read.status !== 200) return false
      const reply = await send('PUT', path, { ...read.body.data, ...person(number) })
      return reply.status === 200
    } finally {
      truth.wrote('touched', id, from, Date.now())
      truth.locked.delete(id)
    }
  }
  return {
    async run(writes, progress) {
      if (writable.length === 0) return 0
      let acknowledged = 0
      const numbers = Array.from({ length: writes }, (_, index) => index + 1)
      const write = async (number: number) => {
        const truth = random.pick(writable)
        const alive = aliveIn(truth)
        const isCreate = random.chance(0.4) || alive.length === 0
        if (isCreate ? await create(truth, number) : await update(truth, random.pick(alive), number)) acknowledged++
      }
      await inParallel(callers, numbers, async (number) => {
        while (progress() < number / (writes + 1) && !failed()) await sleep(20)
        if (!failed()) await write(number)
      })
      // Every write of a short run may meet a fault.
      for (let number = writes + 1; acknowledged === 0 && !failed(); number++) await write(number)
      return acknowledged
    },
  }
}
