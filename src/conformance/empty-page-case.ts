// A page in the middle of a walk that is answered with `{}`: some platforms answer an empty list so, and so does a
// broken proxy.
import { expect } from 'vitest'
import { chooseCases } from '../../test/case-choice.ts'
import type { NativeRequest } from '../contract/connector.ts'
import { misshapen, shapeOf } from '../engine/outbound/shape.ts'
import type { Fault, LoggedCall } from '../sandbox/simulator.ts'
import type { Case } from './case.ts'
import type { AnyRecord, Subject } from './subject.ts'

const pages = 4
const once = { times: 1 } as const
const always = { repeats: true } as const

interface Walked {
  ids: string[]
  warnings: string[]
  failure?: [status: number, code: string]
}
async function walkOf(subject: Subject, pageSize: number, filter: string): Promise<Walked> {
  const walked: Walked = { ids: [], warnings: [] }
  for (let query = `pageSize=${pageSize}${filter}`; ; ) {
    const { status, body } = await subject.list(`?${query}`)
    if (status !== 200) return { ...walked, failure: [status, body.code] }
    walked.ids.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
    walked.warnings.push(...(body.warnings ?? []).map(({ code }: AnyRecord) => code))
    if (!body.pagination.hasMore) return walked
    query = `cursor=${body.pagination.cursor}`
  }
}

/** The `skip`th call to an address: cached facts would shift the calls of a whole walk. */
interface Tried extends Pick<LoggedCall, 'method' | 'path'> {
  skip: number
  isBelieved: boolean
}
/**
 * Which calls of a walk are tried. `{}` is believed where a list begins, so of the calls to which it may be the answer
 * only the later ones are tried: the second and the last one to each address. Of the others, one in each run, and all
 * in the nightly run.
 */
function chosen({ harness: { connector }, vertical, entityType }: Subject, calls: readonly LoggedCall[]): Tried[] {
  const isBelieved = (call: LoggedCall) => {
    const query = Object.fromEntries(new URLSearchParams(call.query))
    const shape = shapeOf(connector, { ...call, query } as NativeRequest)
    return shape !== undefined && misshapen(shape, {}) === undefined
  }
  const lists = [...Map.groupBy(calls, ({ method, path }) => `${method} ${path}`).values()]
  const triedIn = (list: readonly LoggedCall[], index: number): Tried => {
    const { method, path } = list[index] as LoggedCall
    return { method, path, skip: index, isBelieved: isBelieved(list[index] as LoggedCall) }
  }
  const believed = lists.filter((list) => list.length > 1 && list.every(isBelieved))
  const refused = lists.filter((list) => !list.some(isBelieved))
  const others = refused.flatMap((list) => list.map((_, index) => triedIn(list, index)))
  const group = () => `${connector.id} ${vertical} ${entityType} refused`
  return [
    ...believed.flatMap((list) => [...new Set([1, list.length - 1])].map((index) => triedIn(list, index))),
    ...chooseCases(others, { oneIn: Math.max(1, others.length), group }),
  ]
}

export const emptyPageCase: Case = {
  name: 'an empty object in the place of a later page, once or at every repetition, never ends a walk in silence',
  async run(subject) {
    const { sandbox, connector } = subject.harness
    const missing = 2 * pages + 1 - subject.native.ids().length
    if (missing > 0) subject.native.add(missing)
    const pageSize = Math.ceil(subject.native.ids().length / pages)
    const filters = subject.support.updatedAfter === 'platform' ? ['', '&updatedAfter=2010-01-01T00:00:00Z'] : ['']
    for (const filter of filters) {
      sandbox.clearCalls(connector.id)
      const whole = await walkOf(subject, pageSize, filter)
      expect(whole.failure).toBeUndefined()
      const tried = chosen(subject, sandbox.calls(connector.id))
      for (const { isBelieved, ...call } of tried)
        for (const lasting of [once, always]) {
          const fault: Fault = { kind: 'foreign_before', status: 200, body: {}, ...call, ...lasting }
          const note = `${JSON.stringify(fault)} ${filter}`
          sandbox.fault(connector.id, fault)
          const walked = await walkOf(subject, pageSize, filter)
          sandbox.clearFaults(connector.id)
          if (lasting === always && walked.failure) {
            expect([note, walked.failure]).toEqual([note, [502, 'downstream_error']])
            continue
          }
          // A platform without a count: what is left to believe is said.
          const isDoubted = lasting === always && isBelieved && walked.warnings.includes('end_unconfirmed')
          if (!isDoubted) expect(walked, note).toEqual(whole)
        }
      if (!tried.some(({ isBelieved }) => isBelieved)) break // the shape of a response decides, not the list
    }
  },
}
