// Every management action has an audit entry: who, from where, what, with which outcome, and no secret.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { closeServices, startBare } from './bare-service.ts'

let bare: Awaited<ReturnType<typeof startBare>>
beforeAll(async () => {
  bare = await startBare()
})
afterAll(closeServices)
const list = async (query = '') =>
  (await bare.send('GET', `/manage/v1/audit?${query}`, bare.adminToken)).json().data as Record<string, unknown>[]

it('records successful and rejected actions, but no reads', async () => {
  const { send, adminToken, workspace, access } = bare
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
  const { service, send, adminToken } = bare
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
  const { send, adminToken, workspace } = bare
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
  expect((await list('action=logIn')).length).toBe(2)
  const { data } = (await send('GET', '/manage/v1/audit/verification', adminToken)).json()
  expect(data).toEqual(
    ['install', workspace].sort().map((scope) => ({
      scope,
      entries: lines.filter((line) => line.scope === scope).length,
      head: lines.findLast((line) => line.scope === scope).hash,
    })),
  )
})

it('returns an error for an action that cannot be recorded', async () => {
  const { service, send, adminToken } = bare
  const { append } = service.store.audit
  service.store.audit.append = () => Promise.reject(new Error('no room'))
  try {
    expect((await send('POST', '/manage/v1/workspaces', adminToken, { payload: { name: 'third' } })).statusCode).toBe(
      500,
    )
  } finally {
    service.store.audit.append = append
  }
})
