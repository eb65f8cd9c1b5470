// The record that the explorer begins a new one with, for every account of the sandbox.
import { expect, it } from 'vitest'
import type { Described, Explored, Support } from '../packages/dashboard/src/pages/explorer/responses.ts'
import { readTemplate } from '../packages/dashboard/src/pages/explorer/template.ts'
import { openServiceHere } from './service-here.ts'

it('every platform accepts the template of each entity type as it is', async () => {
  const service = await openServiceHere()
  const { user, password } = service.sandboxFile().dashboard
  let token = ''
  const manage = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${service.url}/manage/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return (await response.json()) as T
  }
  token = (await manage<{ token: string }>('POST', '/sessions', { user, password })).token
  const { data: accounts } = await manage<{ data: { id: string }[] }>('GET', '/workspaces/sandbox/accounts?limit=100')
  const refused: unknown[] = []
  let written = 0
  for (const { id } of accounts) {
    const base = `/workspaces/sandbox/accounts/${id}/explorer`
    const { entities } = await manage<{ entities: Record<string, Support> }>('GET', base)
    for (const type of Object.keys(entities).filter((name) => entities[name]?.write)) {
      const described = await manage<Described>('GET', `${base}/${type}`)
      const record = await readTemplate(
        described,
        async (name) => (await manage<{ data: Explored[] }>('GET', `${base}/${name}/records?pageSize=20`)).data,
      )
      const result = await manage<{ reference?: object }>('POST', `${base}/${type}/records`, { record })
      if (result.reference) written++
      else refused.push([id, type, result])
    }
  }
  await service.stop()
  expect(refused).toEqual([])
  expect(written).toBeGreaterThan(30)
})
