// Every management action has an audit entry: who, from where, what, with which outcome, and no secret.
import { afterEach, expect, inject, it, onTestFinished, vi } from 'vitest'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { Problem } from '../../src/contract/errors.ts'
import { freshDatabase } from '../postgres.ts'
import { storeKindsFor } from '../store-on.ts'
import { closeServices, startBare } from './bare-service.ts'

afterEach(closeServices)

async function start() {
  const bare = await startBare()
  const list = async (query = '') =>
    (await bare.send('GET', `/manage/v1/audit?${query}`, bare.adminToken)).json().data as Record<string, unknown>[]
  return { ...bare, list }
}

it('records successful and rejected actions, but no reads', async () => {
  const { send, adminToken, workspace, access, list } = await start()
  const base = `/manage/v1/workspaces/${workspace}`
  await send('GET', `${base}/api-keys`, adminToken)
  await send('POST', `${base}/access-ids/${access.id}/rotate`, adminToken, { from: '10.0.0.7' })
  await send('DELETE', `${base}/access-ids/none`, adminToken)
  await send('POST', `${base}/api-keys`, adminToken, { payload: { wrong: 'body' } })
  const lines = [...(await list(`scope=${workspace}`)), ...(await list())].map(
    ({ action, actor, address, object, outcome }) => [action, actor, address, object, outcome],
  )
  expect(lines).toEqual([
    ['createApiKey', 'admin token', '10.0.0.1', {}, 'validation_failed'],
    ['rotateAccessId', 'admin token', '10.0.0.7', { id: access.id }, 'ok'],
    ['createAccessId', 'admin token', '10.0.0.1', { id: access.id }, 'ok'],
    ['revokeAccessId', 'admin token', '10.0.0.1', { id: 'none', workspaceId: workspace }, 'resource_not_found'],
    ['createWorkspace', 'admin token', '10.0.0.1', { id: workspace }, 'ok'],
  ])
})

it('names the user of a successful and of a failed login', async () => {
  const { service, send, adminToken, list } = await start()
  await service.store.users.put({ name: 'ada', passwordHash: await hashPassword('correct horse battery') })
  const logIn = (password: string) =>
    send('POST', '/manage/v1/sessions', '', { payload: { user: 'ada', password }, headers: { authorization: '' } })
  await logIn('wrong')
  const { token } = (await logIn('correct horse battery')).json()
  await send('POST', '/manage/v1/workspaces', token, { payload: { name: 'second' } })
  expect((await list('actor=ada')).map(({ action, outcome }) => [action, outcome])).toEqual([
    ['createWorkspace', 'ok'],
    ['logIn', 'ok'],
    ['logIn', 'unauthorized'],
  ])
  const everything = (await send('GET', '/manage/v1/audit/export', adminToken)).payload
  expect(everything).not.toMatch(/wrong|correct horse|urses_/)
})

it('is exported as one line per entry, is paged by filter, and can be verified', async () => {
  const { send, adminToken, workspace, list } = await start()
  await send('POST', '/manage/v1/workspaces', adminToken, { payload: { name: 'second' } })
  const exported = await send('GET', '/manage/v1/audit/export', adminToken)
  expect(exported.headers['content-type']).toMatch(/^application\/x-ndjson/)
  const lines = exported.payload
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(lines.map(({ scope }) => scope))).toEqual(new Set(['install', workspace]))
  const scoped = (await send('GET', `/manage/v1/audit/export?scope=${workspace}`, adminToken)).payload
    .trim()
    .split('\n')
  expect(scoped).toHaveLength(lines.filter(({ scope }) => scope === workspace).length)
  const first = (await send('GET', '/manage/v1/audit?limit=1', adminToken)).json()
  expect((await list(`after=${first.next}&limit=1`))[0]).toMatchObject({ sequence: first.data[0].sequence - 1 })
  expect((await list('action=createWorkspace')).length).toBe(2)
  const { data } = (await send('GET', '/manage/v1/audit/verification', adminToken)).json()
  expect(data).toEqual(
    ['install', workspace].sort().map((scope) => ({
      scope,
      entries: lines.filter((line) => line.scope === scope).length,
      head: lines.findLast((line) => line.scope === scope).hash,
    })),
  )
})

it('shows a workspace its own entries only, by every filter, and exports what the filter finds as CSV, too', async () => {
  const { service, send, adminToken, workspace } = await start()
  await send('POST', `/manage/v1/workspaces/${workspace}/api-keys`, adminToken, { payload: { wrong: 'body' } })
  const key = (await send('POST', `/manage/v1/workspaces/${workspace}/api-keys`, adminToken, {
    payload: { name: 'audit', scopes: ['manage'] },
  }).then((reply) => reply.json())) as { id: string; key: string }
  const entry = { scope: workspace, actor: '=ada', address: '10.9.9.9', action: 'pauseAll', requestId: 'req_x' }
  await service.store.audit.append({ ...entry, object: { accountId: 'Shop_1' }, outcome: 'account_disabled' })
  await service.store.audit.append({ ...entry, object: { accountId: 'Shopp1' }, outcome: 'started' })
  const base = '/manage/v1/workspaces/current/audit'
  const read = async (query: string) => {
    const reply = await send('GET', `${base}?${query}`, key.key)
    return (reply.json().data as { action: string; outcome: string }[]).map(({ outcome }) => outcome)
  }
  const all = (await send('GET', `${base}?limit=500`, key.key)).json().data as { at: string; scope: string }[]
  expect(new Set(all.map(({ scope }) => scope))).toEqual(new Set([workspace]))
  const newest = all[0]?.at as string
  const later = new Date(Date.parse(newest) + 1).toISOString()
  for (const [query, found] of [
    ['address=10.9.9.9', ['started', 'account_disabled']],
    ['actor=%3Dada&outcome=error', ['account_disabled']],
    ['outcome=error', ['account_disabled', 'validation_failed']],
    ['search=PAUSEA', ['started', 'account_disabled']],
    ['search=shop_1', ['account_disabled']],
    [`action=pauseAll&since=${newest}&until=${later}`, ['started', 'account_disabled'].slice(0, sameTime(all))],
    [`since=${later}`, []],
  ] as const)
    expect([query, await read(query)]).toEqual([query, found])
  const csv = await send('GET', `${base}/export?format=csv&action=pauseAll&outcome=error`, key.key)
  expect(csv.headers['content-type']).toMatch(/^text\/csv/)
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/)
  const [header, line, ...rest] = csv.payload.split('\r\n')
  expect(header).toBe('scope,sequence,at,actor,address,action,object,outcome,requestId,hash')
  expect(line).toContain(`,'=ada,10.9.9.9,pauseAll,"{""accountId"":""Shop_1""}",account_disabled,req_x,`)
  expect(rest).toEqual([''])
  expect((await send('GET', `${base}/verification`, key.key)).json()).toEqual({
    scope: workspace,
    entries: all.length,
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const refused = await send('GET', `${base}/export?format=xlsx`, key.key)
  expect([refused.statusCode, refused.json().detail]).toEqual([400, 'format must be one of ndjson, csv.'])
  expect((await send('GET', '/manage/v1/workspaces/none/audit/export', adminToken)).statusCode).toBe(404)
})
/** Two entries may have been written in the same millisecond. */
const sameTime = (entries: readonly { at: string }[]) => (entries[0]?.at === entries[1]?.at ? 2 : 1)

it('has a bounded number of entries of strangers, and none of a request that is not an attempt', async () => {
  const { service, send, adminToken } = await startBare({}, ['10.0.0.0/8'])
  const logIn = (index: number, payload: object) =>
    send('POST', '/manage/v1/sessions', '', {
      payload,
      headers: { authorization: '', 'x-forwarded-for': `203.0.${index >> 8}.${index & 255}` },
    })
  const entries = async () => {
    const { data } = (await send('GET', '/manage/v1/audit/verification', adminToken)).json()
    return data.find(({ scope }: { scope: string }) => scope === 'install').entries
  }
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'] }) // the number is per minute, and hashing passwords can take longer
  const before = await entries()
  for (let index = 0; index < 150; index++)
    expect((await logIn(index, index % 2 ? { user: 'ada' } : {})).statusCode).toBe(422)
  expect(await entries()).toBe(before)
  const statuses: number[] = []
  const guess = async (index: number) =>
    statuses.push((await logIn(index, { user: `user ${index}`, password: 'guessed' })).statusCode)
  // Hashing that many passwords would take seconds: most of them are refused where the user is looked up.
  const { users } = service.store
  const { get } = users
  users.get = async () => {
    throw new Problem('unauthorized', 'The user name or password is incorrect.')
  }
  for (let index = 0; index < 97; index++) await guess(index)
  users.get = get
  for (let index = 97; index < 103; index++) await guess(index)
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect(await entries()).toBe(before + 100)
})

it.each(storeKindsFor('e2e/audit'))(
  'has an unbroken chain after many actions at the same time, and none fails (%s)',
  async (kind) => {
    const databaseUrl =
      kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined
    const { service, send, adminToken } = await startBare({}, [], databaseUrl)
    const passwordHash = await hashPassword('correct horse battery')
    const users = Array.from({ length: 8 }, (_, index) => `user ${index}`)
    for (const name of users) await service.store.users.put({ name, passwordHash })
    const logins = users.map((user, index) =>
      send('POST', '/manage/v1/sessions', '', {
        payload: { user, password: 'correct horse battery' },
        headers: { authorization: '' },
        from: `10.0.1.${index}`,
      }),
    )
    const workspaces = Array.from({ length: 120 }, (_, index) =>
      send('POST', '/manage/v1/workspaces', adminToken, { payload: { name: `w ${index}` } }),
    )
    const replies = await Promise.all([...logins, ...workspaces])
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    const { data } = (await send('GET', '/manage/v1/audit/verification', adminToken)).json()
    expect(data.filter(({ brokenAt }: { brokenAt?: number }) => brokenAt !== undefined)).toEqual([])
    const count = async (action: string) =>
      (await send('GET', `/manage/v1/audit?action=${action}&outcome=ok&limit=500`, adminToken)).json().data.length
    expect([await count('logIn'), await count('createWorkspace')]).toEqual([users.length, workspaces.length + 1])
  },
)
