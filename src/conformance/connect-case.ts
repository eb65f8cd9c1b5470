// Connecting tests the credentials: each one that the platform receives is damaged in turn, then all are correct.
import { expect } from 'vitest'
import type { Auth, Connector } from '../contract/connector.ts'
import type { Case } from './case.ts'
import type { Harness, Reply } from './harness.ts'

/**
 * Credentials that the test must check. An access token with a refresh token is replaced, and not every renewal sends
 * the client's secret.
 */
function noticed({ auth: ways }: Connector, credentials: Readonly<Record<string, string>>): string[] {
  const sent = (call: { fields: Readonly<Record<string, string>>; basic?: boolean }) => [
    ...Object.values(call.fields).flatMap((template) =>
      [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    ),
    ...(call.basic ? ['clientId', 'clientSecret'] : []),
  ]
  const namesOf = (auth: Auth): string[] | undefined => {
    if (auth.kind === 'oauth2') return auth.refresh && credentials.refreshToken ? sent(auth.refresh) : undefined
    if (auth.kind === 'client_credentials') return sent(auth.login)
    return auth.kind === 'basic' ? [auth.user, auth.password] : [...auth.fields]
  }
  const names =
    ways
      .map(namesOf)
      .find((found) => found?.every((name) => name === 'redirectUri' || credentials[name] !== undefined)) ?? []
  return [...new Set(names)].filter((name) => name !== 'redirectUri')
}
const damaged = (value: string) => `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`
const pointersOf = ({ body }: Reply): string[] => (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
const stored = async ({ service, accountId }: Harness, vertical: Parameters<Harness['accountId']>[0]) =>
  service.store.accounts.get(accountId(vertical))

export const connectCase: Case = {
  name: 'credentials are tested before an account is connected or reconnected: a damaged one is rejected by name and changes nothing',
  async run({ harness, vertical, tenant, list }) {
    const { connector, manage } = harness
    const account = { id: 'connected-here', platform: connector.id, vertical, settings: tenant.settings }
    const reconnect = `/accounts/${harness.accountId(vertical)}/reconnect`
    const before = await stored(harness, vertical)
    const names = noticed(connector, tenant.credentials)
    expect(names.length, 'credentials that can be damaged').toBeGreaterThan(0)
    for (const name of names) {
      const credentials = { ...tenant.credentials, [name]: damaged(tenant.credentials[name] as string) }
      for (const [path, body] of [
        ['/accounts', { ...account, credentials }] as const,
        [reconnect, { credentials }] as const,
      ]) {
        const reply = await manage('POST', path, body)
        expect([name, reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual([
          name,
          422,
          'validation_failed',
        ])
        expect(pointersOf(reply).length).toBeGreaterThan(0)
        for (const pointer of pointersOf(reply))
          expect([name, pointer]).toEqual([name, expect.stringMatching(/^\/(credentials|settings)(\/\w+)?$/)])
        expect(reply.body.detail).toMatch(/test=false/)
      }
      expect((await manage('GET', `/accounts/${account.id}`)).status).toBe(404)
      expect(await stored(harness, vertical)).toEqual(before)
    }
    const connected = await manage('POST', '/accounts', { ...account, credentials: tenant.credentials })
    expect([connected.status, connected.body.state], JSON.stringify(connected.body)).toEqual([201, 'active'])
    expect((await manage('DELETE', `/accounts/${account.id}`)).status).toBe(204)
    // The suite's own account gets the newest tokens, because the renewal may have invalidated the others.
    const again = await manage('POST', reconnect, { credentials: tenant.credentials })
    expect([again.status, again.body.state], JSON.stringify(again.body)).toEqual([200, 'active'])
    expect((await list('?pageSize=1')).status).toBe(200)
  },
}
