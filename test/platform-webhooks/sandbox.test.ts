// The consoles of the simulators, into which `npm start` enters the URLs of webhooks.
import { expect, it } from 'vitest'
import { enterHooks } from '../../src/sandbox-webhooks.ts'
import type { Service } from '../../src/service.ts'
import { createWatched } from '../changes/watched.ts'
import { hookedPlatform, ofAccount, ofApplication, signed } from './platform-with-webhooks.ts'

const withCode = {
  ...ofAccount,
  challenge: ({ headers }: { headers: Readonly<Record<string, string>> }) =>
    headers['x-code'] ? { code: headers['x-code'] } : undefined,
}

it.each([
  ['an application', ofApplication, false],
  ['each account, with a code', withCode, true],
])('webhooks of %s are entered at every start, and follow the URL', async (_, hooks, sendsCode) => {
  const platform = hookedPlatform(hooks, { sendsCode })
  const watched = await createWatched('sqlite', platform)
  const { workspaceId } = await watched.accountOf('restaurant')
  const accounts = watched.tenants.map(({ vertical }) => ({
    accountId: watched.accountId(vertical),
    platform: 'square',
    vertical,
  }))
  const start = (service: Service) =>
    enterHooks(service, platform.connectors, workspaceId, accounts, watched.sandbox.url)
  const urls = () => [...platform.subscriptions.keys()]
  const count = hooks.scope === 'application' ? 1 : accounts.length
  await start(watched.service)
  expect(urls()).toHaveLength(count)
  await start(watched.service)
  expect(urls()).toHaveLength(count)
  const stored = async (): Promise<string[]> =>
    (await watched.manage('GET', '/hooks')).body.data
      .filter((hook: { platform: string }) => hook.platform === 'square')
      .map(({ url }: { url: string }) => url)
  expect(urls().sort()).toEqual((await stored()).sort())
  for (const { url, secret } of platform.subscriptions.values()) {
    expect((await fetch(url, { method: 'POST', ...signed(url, [], secret) })).status).toBe(200)
  }
  if (hooks.scope === 'application') {
    await watched.manage('PUT', '/hooks/square', { secret: 'entered-by-a-person' })
    await start(watched.service)
    const [url] = urls() as [string]
    for (const secret of ['entered-by-a-person', platform.subscriptions.get(url)?.secret as string])
      expect((await fetch(url, { method: 'POST', ...signed(url, [], secret) })).status, secret).toBe(200)
  }
  const service = await watched.restart()
  await start(service)
  expect(urls().filter((url) => url.startsWith(service.url()))).toHaveLength(count)
  await watched.close()
})
