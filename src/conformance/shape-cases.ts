// A response with status 200 that is not what was asked for, and a 4xx that is not the platform's own: neither is
// believed.
import { expect } from 'vitest'
import { chooseCases } from '../../test/case-choice.ts'
import type { NativeRequest } from '../contract/connector.ts'
import { misshapen, shapeOf } from '../engine/outbound/shape.ts'
import type { Fault, LoggedCall } from '../sandbox/simulator.ts'
import type { Case } from './case.ts'
import type { AnyRecord, Subject } from './subject.ts'
import { changeOf, nativeAfter, persist, variants } from './write-cases.ts'

const strangers = [{}, null, [], { message: 'Service temporarily unavailable' }, 'ok']
/** Of a gateway, a firewall or a proxy: not in the format of any platform. */
const refusals: Pick<Fault, 'status' | 'body'>[] = [
  { status: 403, body: { Message: 'Request blocked' } },
  { status: 404, body: '<html><body>404 Not Found</body></html>' },
  { status: 400, body: {} },
]
const allWrong = [...strangers.map((body) => ({ status: 200, body })), ...refusals]
const most = 24

const metBy = ({ harness: { sandbox, connector } }: Subject, kind: Fault['kind']) =>
  sandbox.calls(connector.id).filter(({ fault }) => fault === kind)
/** True if the connector declares that the platform's own response can look like this. */
function isDeclared(
  { harness: { connector } }: Subject,
  call: LoggedCall,
  { status, body }: Pick<Fault, 'status' | 'body'>,
): boolean {
  if (status !== 200) return false
  const shape = shapeOf(connector, {
    ...call,
    query: Object.fromEntries(new URLSearchParams(call.query)),
  } as NativeRequest)
  return shape !== undefined && misshapen(shape, body) === undefined
}
/**
 * Each call of a request gets the wrong response once, until the request makes no further call. What is checked after
 * it meets no fault.
 */
async function atEachCall<T, R>(
  subject: Subject,
  nextFault: () => Fault,
  prepare: () => Promise<T>,
  run: (prepared: T, note: string) => Promise<R>,
  check: (prepared: T, result: R, note: string) => Promise<void>,
): Promise<void> {
  const { sandbox, connector } = subject.harness
  for (let skip = 0; skip < most; skip++) {
    const prepared = await prepare()
    const fault = nextFault()
    sandbox.fault(connector.id, { ...fault, skip, times: 1 })
    const note = `${JSON.stringify(fault)} at call ${skip}`
    const result = await run(prepared, note)
    const met = sandbox.faults(connector.id).length === 0
    sandbox.clearFaults(connector.id)
    await check(prepared, result, note)
    if (!met) {
      expect(skip, 'calls of the request').toBeGreaterThan(0)
      return
    }
  }
  expect.fail(`the request makes more than ${most} calls`)
}

/** Before the platform does the work or after it. */
const wrongResponses = (subject: Subject, name: string): readonly (() => Fault)[] =>
  variants(
    subject,
    name,
    allWrong.flatMap((wrong) => (['foreign_before', 'foreign_after'] as const).map((kind) => ({ kind, ...wrong }))),
  )

export const shapeReadCases: Case[] = [
  {
    name: 'every call declares the shape of its response',
    async run(subject) {
      const { sandbox, connector } = subject.harness
      sandbox.clearCalls(connector.id)
      await subject.walk(50)
      if (subject.support.write) {
        const { body } = await subject.create(await subject.fullRecord())
        if (subject.support.update)
          await subject.harness.call('PUT', `${subject.path}/${encodeURIComponent(body.data.externalId)}`, body.data)
      }
      const undeclared = sandbox.calls(connector.id).filter((call) => {
        const request = { ...call, query: Object.fromEntries(new URLSearchParams(call.query)) } as NativeRequest
        return call.status < 300 && call.vertical !== undefined && shapeOf(connector, request) === undefined
      })
      expect([...new Set(undeclared.map(({ method, path }) => `${method} ${path}`))]).toEqual([])
    },
  },
  {
    name: 'a page or a record of the wrong shape is an error, never an empty page or a missing record',
    async run(subject) {
      const { sandbox, connector } = subject.harness
      if (subject.native.ids().length === 0) subject.native.add(1)
      sandbox.clearCalls(connector.id)
      await subject.walk(50)
      if (sandbox.calls(connector.id).length === 0) return // fixed values of an enumeration
      const id = encodeURIComponent(subject.native.ids()[0] as string)
      const known = await subject.harness.call('GET', `${subject.path}/${id}`, undefined, { prefer: 'wait=60' })
      for (const path of [subject.path, ...(known.status === 200 ? [`${subject.path}/${id}`] : [])]) {
        const choice = { oneIn: 2, group: () => `${connector.id} ${subject.entityType}` }
        for (const wrong of chooseCases(allWrong, choice)) {
          sandbox.fault(connector.id, { kind: 'foreign_before', ...wrong })
          const reply = await subject.harness.call('GET', path, undefined, { prefer: 'wait=60' })
          sandbox.clearFaults(connector.id)
          const met = metBy(subject, 'foreign_before').at(-1)
          if (met && isDeclared(subject, met, wrong)) continue
          expect([path, wrong, reply.status, reply.body.code]).toEqual([path, wrong, 502, 'downstream_error'])
        }
      }
    },
  },
  {
    name: 'an empty list that something else sends at any call of a walk loses no record',
    async run(subject) {
      const { sandbox, connector } = subject.harness
      const empty = { status: 200, body: [] }
      const idsOf = (records: readonly AnyRecord[]) => records.map(({ externalId }) => externalId)
      sandbox.clearCalls(connector.id)
      const all = idsOf(await subject.walk(50))
      if (!sandbox.calls(connector.id).some((call) => isDeclared(subject, call, empty))) return
      await atEachCall(
        subject,
        () => ({ kind: 'foreign_before', ...empty }),
        async () => {},
        () => subject.walk(50),
        async (_, records, note) => expect([note, idsOf(records)]).toEqual([note, all]),
      )
    },
  },
]

export const shapeWriteCases: Case[] = [
  {
    name: 'a response of the wrong shape at any call of a create leaves exactly one record, with its id',
    async run(subject) {
      for (const nextFault of wrongResponses(subject, 'create'))
        await atEachCall(
          subject,
          nextFault,
          async () => ({ record: await subject.fullRecord(), before: subject.native.ids() }),
          ({ record }) => persist(subject, record),
          async ({ before }, reply, note) => {
            expect([note, reply.status < 300, reply.body.code]).toEqual([note, true, undefined])
            expect([note, nativeAfter(subject, before)]).toEqual([note, [reply.body.data.externalId]])
          },
        )
    },
  },
  {
    name: 'a lookup after a lost response that gets the wrong shape does not count as absence',
    async run(subject) {
      const { sandbox, connector } = subject.harness
      for (const nextStranger of variants(subject, 'lookup', allWrong))
        for (let skip = 0, met = true; met && skip < most; skip++) {
          const record = await subject.fullRecord()
          const before = subject.native.ids()
          // One call is carried out and its response lost; the next ones, the lookup among them, get a stranger's
          // response.
          const stranger = nextStranger()
          sandbox.clearCalls(connector.id)
          sandbox.fault(connector.id, { kind: 'reset_after', times: 1, skip })
          sandbox.fault(connector.id, { kind: 'foreign_before', times: 4, skip, ...stranger })
          await subject.create(record)
          met = metBy(subject, 'reset_after').length > 0
          const foreign = metBy(subject, 'foreign_before')
          sandbox.clearFaults(connector.id)
          const reply = await persist(subject, record)
          if (foreign.some((call) => isDeclared(subject, call, stranger))) continue
          const note = `${JSON.stringify(stranger)} after call ${skip}`
          expect([note, reply.status < 300, reply.body.code]).toEqual([note, true, undefined])
          expect([note, nativeAfter(subject, before)]).toEqual([note, [reply.body.data.externalId]])
          expect(met || skip > 0, 'calls of the request').toBe(true)
        }
    },
  },
  {
    name: 'equal content under several keys is as many records, also when responses are lost',
    async run(subject) {
      const { sandbox, connector } = subject.harness
      const omitted = await acceptedTwice(subject)
      if (omitted === undefined) return
      for (const kind of ['reset_before', 'reset_after'] as const) {
        const record = without(await subject.fullRecord(), omitted)
        const written = [await persist(subject, record)]
        for (let skip = 0, met = true; met && skip < most; skip++) {
          const before = subject.native.ids()
          sandbox.fault(connector.id, { kind, times: 1, skip })
          const reply = await persist(subject, { ...record, externalId: `${record.externalId}-twin-${skip}` })
          met = sandbox.faults(connector.id).length === 0
          sandbox.clearFaults(connector.id)
          written.push(reply)
          const note = `${kind} at call ${skip}`
          expect([note, reply.status < 300, reply.body.code]).toEqual([note, true, undefined])
          expect([note, nativeAfter(subject, before)]).toEqual([note, [reply.body.data.externalId]])
          expect(new Set(written.map(({ body }) => body.data.externalId)).size, note).toBe(written.length)
        }
      }
    },
  },
]
/** Some platforms require that these are unique. */
const unique = ['sku', 'barcode', 'email', 'phone', 'employeeCode', 'orderNumber']
const without = (record: AnyRecord, omitted: readonly string[]): AnyRecord =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !omitted.includes(field)))
const twinOf = (record: AnyRecord): AnyRecord => ({ ...record, externalId: `${record.externalId}-twin` })
/** The fields to omit so that the platform accepts the same content twice; undefined if it always refuses. */
async function acceptedTwice(subject: Subject): Promise<readonly string[] | undefined> {
  for (const omitted of [[], unique]) {
    const record = without(await subject.fullRecord(), omitted)
    const replies = [await persist(subject, record), await persist(subject, twinOf(record))]
    if (replies.every(({ status }) => status < 300)) return omitted
    expect(replies.map(({ status }) => status)).toSatisfy((statuses: number[]) =>
      statuses.every((status) => [200, 201, 409, 422].includes(status)),
    )
  }
  return undefined
}

export const shapeUpdateCases: Case[] = [
  {
    name: 'a response of the wrong shape at any call of a put leaves the record as it was put',
    async run(subject) {
      const id = subject.support.write
        ? (await subject.create(await subject.fullRecord())).body.data.externalId
        : subject.native.ids()[0]
      const single = `${subject.path}/${encodeURIComponent(id)}`
      const read = async () => (await subject.harness.call('GET', single, undefined, { prefer: 'wait=60' })).body.data
      const put = (record: unknown) => subject.harness.call('PUT', single, record, { prefer: 'wait=60' })
      const change = changeOf(subject)
      const before = subject.native.ids().toSorted()
      let last = await read()
      for (const nextFault of wrongResponses(subject, 'put'))
        await atEachCall(
          subject,
          nextFault,
          async () => change(last),
          async (next, note) => {
            let reply = await put(next)
            for (let attempt = 0; attempt < 6 && reply.status !== 200; attempt++) {
              expect([note, reply.status >= 500 || reply.body.code]).toEqual([
                note,
                expect.toSatisfy((code) => [true, 'outcome_unknown', 'write_in_progress'].includes(code)),
              ])
              reply = await put(next)
            }
            return reply
          },
          async (next, reply, note) => {
            expect([note, reply.status], JSON.stringify(reply.body)).toEqual([note, 200])
            last = await read()
            expect([note, last]).toEqual([note, next])
            expect([note, subject.native.ids().toSorted()]).toEqual([note, before])
          },
        )
    },
  },
]
