// What the webhooks of every platform have in common.
import { expect } from 'vitest'
import type { EntityAdapter, HookHint, RawHook } from '../contract/connector.ts'
import type { EntityType, Vertical } from '../contract/entity.ts'
import { adapterOf } from '../engine/support.ts'
import { type HookKit, withChangedByte, withoutHeader } from './webhook-kit.ts'

/** The signature is accepted; nothing else is. */
export function expectSigned({ connector }: HookKit, hook: RawHook, secret: string, header: string): void {
  const verify = (request: RawHook, under = secret) => connector.hooks.verify?.(request, under, Date.now())
  const signedAs = (signature: string): RawHook => ({ ...hook, headers: { ...hook.headers, [header]: signature } })
  const signature = hook.headers[header] ?? ''
  expect(verify(hook)).toBe(true)
  expect(verify(withChangedByte(hook))).toBe(false)
  expect(verify(withoutHeader(hook, header))).toBe(false)
  expect(verify(hook, `${secret}x`)).toBe(false)
  expect(verify(hook, '')).toBe(false)
  for (const malformed of ['', ',', '=', signature.slice(1), signature.slice(0, -1), `${signature}A`, '\u20ac', '{}'])
    expect(verify(signedAs(malformed)), malformed).toBe(false)
}

/** A hostile body gives an error or hints without an id, and changes nothing else. */
export function expectHardened({ connector: { hooks } }: HookKit, hook: RawHook): void {
  const read = (body: string): readonly HookHint[] => {
    try {
      return hooks.read({ ...hook, body: Buffer.from(body) })
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
      return []
    }
  }
  const bodies = ['', 'null', '7', '"x"', '[]', '{}', '[[[', '{"id":{"a":1}}', '{"id":[1]}', '{"__proto__":{"id":5}}']
  for (const body of bodies) for (const { id } of read(body)) expect(id, body).toBeUndefined()
  expect(read('\u0000'.repeat(100_000)).filter(({ id }) => id !== undefined)).toEqual([])
  expect({} as { id?: unknown }).not.toHaveProperty('id')
}

/** The hints of webhooks, without repetitions. */
export const hintsOf = ({ connector: { hooks } }: HookKit, sent: readonly RawHook[]): HookHint[] => [
  ...new Map(
    sent.flatMap((hook) => hooks.read(hook)).map((hint) => [JSON.stringify([hint.entityType, hint.id]), hint]),
  ).values(),
]

/** A record that is added, changed and removed behind the API's back is named by its id each time. */
export async function expectReported(kit: HookKit, vertical: Vertical, entityType: EntityType): Promise<void> {
  const records = kit.records(vertical, entityType)
  let id = ''
  const created = await kit.sentBy(() => {
    id = records.add(1)[0]!
  })
  expect(hintsOf(kit, created)).toEqual([{ entityType, id }])
  expect(await idsBehind(kit, vertical, { entityType, id })).toEqual([id])
  expect(hintsOf(kit, await kit.sentBy(() => records.touch(id)))).toEqual([{ entityType, id }])
  const removed = hintsOf(kit, await kit.sentBy(() => records.remove!(id)))
  expect(removed).toEqual([{ entityType, id, gone: true }])
  expect(await idsBehind(kit, vertical, removed[0]!)).toEqual([])
}

/** The platform ids of the rows behind a hint, found as the change feed finds them. */
export function idsBehind(kit: HookKit, vertical: Vertical, { entityType, id }: HookHint): Promise<string[]> {
  const adapter = adapterOf(kit.connector, vertical, entityType as EntityType) as EntityAdapter<EntityType>
  return kit.run(vertical, async (call) => {
    const row = await adapter.get?.(call, id!)
    const rows = row === undefined ? ((await adapter.members?.(call, id!)) ?? []) : [row]
    return rows.map((one) => adapter.id(one))
  })
}
