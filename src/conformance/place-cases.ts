// Countries and states are accepted as names and as codes on every platform.
import { expect } from 'vitest'
import type { AddressForm } from '../contract/connector.ts'
import type { EntitySupport } from '../engine/support.ts'
import type { Case } from './case.ts'
import { type AnyRecord, freshKey, isStored, type Subject } from './subject.ts'

export const placesOfWrite = ({ harness, entityType }: Subject): AddressForm =>
  harness.connector.entities[entityType]?.create?.places ?? {}

/** Some platforms have no addresses, or addresses without one of these. */
export const storedParts = (support: EntitySupport) =>
  (['country', 'state'] as const).filter((part) => isStored(support, `/address/${part}`))

interface Spelling {
  country: string
  state: string
}
const spellings: readonly { given: Spelling; code: Spelling; name: Spelling }[] = [
  {
    given: { country: 'United States', state: 'California' },
    code: { country: 'US', state: 'CA' },
    name: { country: 'United States', state: 'California' },
  },
  {
    given: { country: 'USA', state: 'US-NY' },
    code: { country: 'US', state: 'NY' },
    name: { country: 'United States', state: 'New York' },
  },
  {
    given: { country: 'us', state: 'tx' },
    code: { country: 'US', state: 'TX' },
    name: { country: 'United States', state: 'Texas' },
  },
]
function expected(places: AddressForm, { given, code, name }: (typeof spellings)[number]): Spelling {
  const forms = { code, name }
  return {
    country: (places.country ? forms[places.country] : given).country,
    state: (places.state ? forms[places.state] : given).state,
  }
}

export const placeCase: Case = {
  name: 'countries by name: a country or state is accepted as a name or a code, and an unknown name is refused',
  async run(subject) {
    const places = placesOfWrite(subject)
    const parts = storedParts(subject.support)
    const held = ({ address = {} }: AnyRecord) => parts.map((part) => address[part])
    const warned = (body: AnyRecord) =>
      (body.warnings ?? []).filter(({ pointer }: AnyRecord) => parts.some((part) => pointer === `/address/${part}`))
    const full = await subject.fullRecord()
    const placed = (place: object): AnyRecord => ({ ...full, address: { ...full.address, ...place } })
    let single = ''
    for (const [n, spelling] of spellings.entries()) {
      const record = { ...(await subject.fullRecord()), address: placed(spelling.given).address }
      const { status, body } = await subject.create(record)
      expect([status, body.data && held(body.data), warned(body)], JSON.stringify(body)).toEqual([
        201,
        held({ address: expected(places, spelling) }),
        [],
      ])
      if (n === 0) single = `${subject.path}/${encodeURIComponent(body.data.externalId)}`
    }
    const put = async (record: AnyRecord) => subject.harness.call('PUT', single, record, { prefer: 'wait=60' })
    if (subject.support.update) {
      const before = (await subject.harness.call('GET', single, undefined, { prefer: 'wait=60' })).body.data
      for (const spelling of spellings) {
        const { status, body } = await put({ ...before, address: { ...before.address, ...spelling.given } })
        expect([status, body.data && held(body.data), warned(body)], JSON.stringify(body)).toEqual([
          200,
          held({ address: expected(places, spelling) }),
          [],
        ])
      }
    }
    if (!places.country || !parts.includes('country')) return
    const count = subject.native.ids().length
    const refused = await subject.create({ ...placed({ country: 'Atlantis' }), externalId: freshKey('atlantis') })
    expect([refused.status, refused.body.code, refused.body.errors?.map(({ pointer }: AnyRecord) => pointer)]).toEqual([
      422,
      'target_refuses',
      ['/address/country'],
    ])
    expect(subject.native.ids().length, 'nothing was written').toBe(count)
  },
}
