// What the platform sent, next to the records that were made of it.
import type { TObject } from 'typebox'
import { expect } from 'vitest'
import { valueAt } from '../contract/pointer.ts'
import { flavorOf } from '../contract/validation.ts'
import type { SentResponse } from '../sandbox/sandbox.ts'
import type { Case } from './case.ts'
import type { AnyRecord, Subject } from './subject.ts'

interface Part {
  method: string
  path: string
  pointer: string
  value: unknown
}
type Native = Record<string, { responses: Part[] }>
const patient = { prefer: 'wait=60' }
const removed = '•••'
const secretName = /token|secret|password|passcode|api_?key|pin/i

/** The same value, but for secrets: fields that are called like one, and texts that contain one of the account's. */
function differsAt(shown: unknown, sent: unknown, secrets: readonly string[], at = ''): string | undefined {
  if (typeof shown === 'string' && typeof sent === 'string' && shown !== sent && shown.includes(removed)) {
    const isSecret = secretName.test(at.split('/').at(-1) ?? '') || secrets.some((secret) => sent.includes(secret))
    return isSecret ? undefined : at
  }
  if (typeof shown !== 'object' || shown === null || typeof sent !== 'object' || sent === null)
    return Object.is(shown, sent) ? undefined : at
  if (Array.isArray(shown) !== Array.isArray(sent)) return at
  const [left, right] = [shown, sent] as [Record<string, unknown>, Record<string, unknown>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const name of names) {
    const inner = `${at}/${name}`
    if (Object.hasOwn(left, name) !== Object.hasOwn(right, name)) return inner
    const found = differsAt(left[name], right[name], secrets, inner)
    if (found !== undefined) return found
  }
  return undefined
}

function checkSent(
  { harness, entityType }: Subject,
  native: Native,
  sent: readonly SentResponse[],
  records: AnyRecord[],
): void {
  for (const { externalId } of records) {
    const parts = native[externalId]?.responses ?? []
    // The fixed values of an enum are in no response.
    if (entityType === 'payment_method' && parts.length === 0) continue
    expect(parts.length, `the parts of ${externalId}`).toBeGreaterThan(0)
    for (const { method, path, pointer, value } of parts) {
      const answers = sent.filter((one) => one.method === method && one.path === path)
      const differences = answers.map(({ body }) => differsAt(value, valueAt(body, pointer), harness.secrets))
      expect(differences, `${externalId}: ${method} ${path} ${pointer}`).toContain(undefined)
    }
    // What the id is made of is in one of the parts, so they are about this record.
    const text = JSON.stringify(parts.map(({ value }) => value))
    expect(
      externalId.split(/[:/]/).every((part: string) => text.includes(part)),
      `${externalId} in ${text}`,
    ).toBe(true)
  }
}

export const nativeCases: Case[] = [
  {
    name: 'native is what the platform sent for each record, and data stays the same',
    async run(subject) {
      const { harness, path, native: rows, vertical } = subject
      const { native } = (await harness.call('GET', `/unified/${harness.accountId(vertical)}`)).body
      expect(native.origin).toMatch(/^https:\/\/[^{}]+$/)
      if (rows.ids().length < 3) rows.add(3)
      const plain = await subject.walk(50)
      const { sent, stop } = harness.sandbox.recordResponses(harness.connector.id)
      const data: AnyRecord[] = []
      let query = '?pageSize=50&include=native'
      for (;;) {
        const { status, body } = await harness.call('GET', path + query, undefined, patient)
        expect(status, JSON.stringify(body)).toBe(200)
        data.push(...body.data)
        if (sent.length === 0) return stop() // fixed values of an enumeration, which no call lists
        checkSent(subject, body.native, sent, body.data)
        if (!body.pagination.hasMore) break
        query = `?cursor=${body.pagination.cursor}` // it carries `include`
      }
      expect(data).toEqual(plain)
      for (const record of data.slice(0, 2)) {
        const id = encodeURIComponent(record.externalId)
        const { status, body } = await harness.call('GET', `${path}/${id}?include=native`, undefined, patient)
        expect([status, body.data], JSON.stringify(body)).toEqual([200, record])
        checkSent(subject, body.native, sent, [body.data])
      }
      stop()
    },
  },
  {
    name: 'fields selects fields of records, with the same values without the second calls of a row',
    async run(subject) {
      const { harness, path, native: rows, entityType, vertical } = subject
      if (rows.ids().length < 3) rows.add(3)
      const { schema } = flavorOf(vertical, entityType)!.read
      const details = harness.connector.entities[entityType]?.list.complete?.fields ?? []
      const detailed = new Set(details.map((pointer) => pointer.split('/')[1]))
      const names = Object.keys((schema as TObject).properties).filter((name) => !detailed.has(name))
      const lean = await subject.walk(50, undefined, `&fields=${names.join(',')}`)
      const whole = await subject.walk(50)
      const only = (record: AnyRecord) =>
        Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
      expect(lean.length).toBeGreaterThan(0)
      expect(lean).toEqual(whole.map(only))
      const { externalId } = lean[0] as AnyRecord
      const single = await harness.call('GET', `${path}/${encodeURIComponent(externalId)}?fields=externalId`)
      expect(single.body.data).toEqual({ externalId })
    },
  },
]
