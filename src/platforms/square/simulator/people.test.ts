// Customers, team members, timecards and access, as the official SDK sees them.
import { SquareClient } from 'square'
import { afterAll, describe, expect, it } from 'vitest'
import { refusal, startSquare } from '../../../../test/platforms/square.ts'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { createSquareSimulator } from './simulator.ts'

const { sandbox, square, key, raw } = await startSquare()
afterAll(() => sandbox.close())

describe('people', () => {
  it('creates customers once per key, updates them sparsely, clears with null, checks versions, finds by reference, deletes', async () => {
    const request = {
      idempotencyKey: key(),
      givenName: 'Amélie',
      emailAddress: 'amelie@example.com',
      referenceId: 'Ref-77',
      note: 'x',
    }
    const { customer } = await square.customers.create(request)
    expect((await square.customers.create(request)).customer?.id).toBe(customer!.id)
    const customerId = customer!.id!
    expect(
      (await square.customers.update({ customerId, note: null, familyName: 'P', version: 0n })).customer,
    ).toMatchObject({ givenName: 'Amélie', familyName: 'P', version: 1n })
    expect((await square.customers.get({ customerId })).customer?.note).toBeUndefined()
    expect(await refusal(square.customers.update({ customerId, note: 'y', version: 0n }))).toMatchObject({
      status: 409,
    })
    expect(
      (await square.customers.search({ query: { filter: { referenceId: { exact: 'rEF-77' } } } })).customers,
    ).toMatchObject([{ id: customerId }])
    await square.customers.delete({ customerId })
    expect(await refusal(square.customers.get({ customerId }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
  it('rejects customers with an invalid address or phone, or without any identifying field', async () => {
    expect(await refusal(square.customers.create({ emailAddress: 'unknown' }))).toMatchObject({
      code: 'INVALID_EMAIL_ADDRESS',
      field: 'email_address',
    })
    expect(await refusal(square.customers.create({ phoneNumber: '12' }))).toMatchObject({
      code: 'INVALID_PHONE_NUMBER',
      field: 'phone_number',
    })
    expect(await refusal(square.customers.create({ note: 'who?' }))).toMatchObject({ status: 400 })
    expect(await refusal(square.customers.search({ limit: 101n }))).toMatchObject({ code: 'VALUE_TOO_HIGH' })
  })
  it('creates and changes team members, but never the owner', async () => {
    const { teamMember } = await square.teamMembers.create({
      idempotencyKey: key(),
      teamMember: { givenName: 'Bo', familyName: 'Li', referenceId: 'e1' },
    })
    expect(
      (await square.teamMembers.update({ teamMemberId: teamMember!.id!, body: { teamMember: { status: 'INACTIVE' } } }))
        .teamMember,
    ).toMatchObject({
      givenName: 'Bo',
      status: 'INACTIVE',
    })
    expect(await refusal(square.teamMembers.create({ teamMember: { givenName: 'Bo' } }))).toMatchObject({
      field: 'team_member.family_name',
    })
    const owner = (await square.teamMembers.search({ query: { filter: { isOwner: true } } })).teamMembers![0]!
    expect(
      await refusal(square.teamMembers.update({ teamMemberId: owner.id!, body: { teamMember: { givenName: 'X' } } })),
    ).toMatchObject({ status: 400 })
    expect((await square.team.listJobs({})).jobs?.length).toBeGreaterThan(0)
  })
  it('returns timecards with the offset of their location, and with paid and unpaid breaks', async () => {
    const { timecards = [] } = await square.labor.searchTimecards({ limit: 200 })
    expect(timecards.every(({ startAt }) => /-0[45]:00$/.test(startAt))).toBe(true)
    expect(new Set(timecards.flatMap(({ breaks }) => breaks ?? []).map(({ isPaid }) => isPaid)).size).toBe(2)
    expect(timecards.length).toBe(200)
  })
})

describe('access', () => {
  it('covers consent, code, token, status and revocation', async () => {
    const fresh = await createSandbox({ simulators: { square: createSquareSimulator }, size: 'small', strict: false })
    const origin = fresh.origin('square')
    const [tenant] = fresh.simulator('square').tenants
    const { clientId, clientSecret } = tenant!.credentials as Record<'clientId' | 'clientSecret', string>
    const asked = {
      client_id: clientId,
      scope: 'CUSTOMERS_READ MERCHANT_PROFILE_READ',
      state: 's1',
      redirect_uri: 'http://127.0.0.1:9/back?x=1',
    }
    const page = await (await fetch(`${origin}/oauth2/authorize?${new URLSearchParams(asked)}`)).text()
    expect(page).toContain('CUSTOMERS_READ')
    const agreed = await fetch(`${origin}/oauth2/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...asked, tenant: 'restaurant', decision: 'approve' }),
    })
    const back = new URL(agreed.headers.get('location')!)
    expect([back.searchParams.get('state'), back.searchParams.get('x')]).toEqual(['s1', '1'])
    const open = new SquareClient({ token: 'none', baseUrl: origin, maxRetries: 0 })
    const exchange = () =>
      open.oAuth.obtainToken({
        clientId,
        clientSecret,
        grantType: 'authorization_code',
        code: back.searchParams.get('code')!,
        redirectUri: asked.redirect_uri,
      })
    const token = await exchange()
    expect(token).toMatchObject({ tokenType: 'bearer', merchantId: 'MLRESTAURANT1' })
    expect(Date.parse(token.expiresAt!)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect(await refusal(exchange())).toMatchObject({ status: 401 })

    const client = new SquareClient({ token: token.accessToken!, baseUrl: origin, maxRetries: 0 })
    expect((await client.customers.list({ limit: 1 })).data).toHaveLength(1)
    expect(await refusal(client.catalog.list({}))).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPES' })
    tenant!.expireTokens()
    expect(await refusal(client.customers.list())).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' })
    const renewed = await open.oAuth.obtainToken({
      clientId,
      clientSecret,
      grantType: 'refresh_token',
      refreshToken: token.refreshToken!,
    })
    expect(renewed.refreshToken).toBe(token.refreshToken)
    tenant!.revokeTokens()
    expect(
      await refusal(new SquareClient({ token: renewed.accessToken!, baseUrl: origin, maxRetries: 0 }).customers.list()),
    ).toMatchObject({
      status: 401,
      code: 'ACCESS_TOKEN_REVOKED',
    })
    expect(
      await refusal(
        open.oAuth.obtainToken({
          clientId,
          clientSecret,
          grantType: 'refresh_token',
          refreshToken: token.refreshToken!,
        }),
      ),
    ).toMatchObject({ status: 401 })
    expect(await refusal(open.customers.list())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    await fresh.close()
  })
  it('checks the version header and rejects unknown paths', async () => {
    expect(await raw('GET', '/v2/locations', undefined, { 'square-version': 'yesterday' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'INVALID_SQUARE_VERSION_FORMAT' }] },
    })
    expect((await raw('GET', '/v2/nothing')).status).toBe(404)
    expect((await raw('POST', '/v2/customers/search', [])).body.errors[0].code).toBe('EXPECTED_JSON_BODY')
  })
})
