// @module-tag chromium
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from './accessibility.ts'
import { type DashboardSession, openDashboard, settled, visit, widthsFor, withSquare } from './dashboard-session.ts'

const account = 'sandbox-square-restaurant'
let session: DashboardSession
beforeAll(async () => {
  session = await openDashboard({}, withSquare)
})
afterAll(() => session?.close())

/** What a caller with an API key gets. */
async function described(): Promise<string | undefined> {
  const response = await fetch(`${session.service.url}/unified/${account}/product?pageSize=1`, {
    headers: { authorization: `Bearer ${session.service.sandboxFile().apiKey}` },
  })
  return ((await response.json()) as { data: { description?: string }[] }).data[0]?.description
}

describe.each(widthsFor('default-mappings'))('at %s width', (width) => {
  let page: Page
  beforeAll(async () => {
    page = await session.open(width)
    await session.signIn(page)
  })
  afterAll(() => page?.context().close())

  const go = async (path: string, accountId = account) => {
    await visit(page, `${session.service.url}/dashboard/w/sandbox/mappings/${accountId}${path}`)
    await settled(page)
  }
  const row = () =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Change default for read product' }) })
  /** Creates a mapping that sets the description to its name. */
  async function create(path: string, name: string) {
    await go(path)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Unified field').fill('/description')
    await page.getByLabel('Source').selectOption('value')
    await page.getByLabel('Value').fill(name)
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  async function change(scope: string, mapping: RegExp, submit = 'Set default') {
    await page.getByRole('button', { name: 'Change default for read product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Set for').selectOption({ label: scope })
    const choice = dialog.getByLabel('Mapping', { exact: true })
    const label = await choice.locator('option').filter({ hasText: mapping }).first().textContent()
    await choice.selectOption({ label: label ?? '' })
    await dialog.getByRole('button', { name: submit }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const shows = async (mapping: string, setFor: string) => {
    await row().getByText(mapping, { exact: true }).waitFor()
    await row().getByText(setFor, { exact: true }).waitFor()
  }
  async function deletes(name: string, list: string) {
    await go(list)
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByLabel(/to confirm/).fill(name)
    await page.getByRole('button', { name: 'Delete mapping' }).click()
  }

  test('defaults are set, inherited, stopped and cleared, and requests use them', async () => {
    const builtIn = await described()
    const [ofWorkspace, ofPlatform, ofAccount] = ['Workspace', 'Platform', 'Account'].map((name) => `${name} ${width}`)
    await create('/shared/new?for=workspace', ofWorkspace as string)
    await page.getByText('All accounts', { exact: true }).waitFor()
    // Native records differ by platform.
    expect(await page.getByLabel('Source').locator('option').allTextContents()).toEqual([
      'A constant',
      'Built-in mapping',
    ])
    await create('/shared/new?for=platform', ofPlatform as string)
    await create('/new', ofAccount as string)

    await go('/defaults')
    await shows('Built-in mapping', 'Not set')
    await change('All accounts', /^Workspace/)
    await shows(ofWorkspace as string, 'All accounts')
    expect(await described()).toBe(ofWorkspace)
    await change('All Square accounts', /^Platform/)
    await shows(ofPlatform as string, 'All Square accounts')
    expect(await described()).toBe(ofPlatform)
    await change('This account', /^Account/)
    await shows(ofAccount as string, 'This account')
    expect(await described()).toBe(ofAccount)
    expect(await faultsOf(page)).toEqual([])

    await change('This account', /^Built-in mapping$/)
    await shows('Built-in mapping', 'This account')
    expect(await described()).toBe(builtIn)
    await page.getByRole('button', { name: 'Change default for read product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing is inherited.').waitFor()
    await dialog.getByLabel('Set for').selectOption({ label: 'All accounts' })
    await dialog.getByText('has its own default, which comes first').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await change('This account', new RegExp(`^Inherit: ${ofPlatform} \\(All Square accounts\\)$`), 'Clear default')
    await shows(ofPlatform as string, 'All Square accounts')
    expect(await described()).toBe(ofPlatform)

    await deletes(ofPlatform as string, '/shared')
    const refusal = page.getByRole('dialog').getByRole('alert')
    await refusal.getByText('The mapping is the default of platform square (read product)').waitFor()
    await refusal.getByText('Set another default there first.').waitFor()
    expect(await refusal.textContent()).not.toContain('input')
    expect(await described()).toBe(ofPlatform)

    await go('/defaults')
    await change('All Square accounts', /^Inherit: Workspace/, 'Clear default')
    await change('All accounts', /^Not set/, 'Clear default')
    await shows('Built-in mapping', 'Not set')
    expect(await described()).toBe(builtIn)
    await deletes(ofPlatform as string, '/shared')
    await page.getByRole('link', { name: ofPlatform as string }).waitFor({ state: 'detached' })
    await deletes(ofWorkspace as string, '/shared')
    await page.getByText('No shared mappings').waitFor()
    await deletes(ofAccount as string, '')
    await page.getByText('No custom mappings').waitFor()
  })

  test('a shared mapping keeps its rules for fields of other accounts, and its key leads to it', async () => {
    const name = `Tags ${width}`
    await go('/shared/new?for=platform', 'sandbox-square-retail_pos')
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Unified field').fill('/tags')
    await page.getByLabel('Source').selectOption('value')
    await page.getByLabel('Value').fill('["house"]')
    await page.getByRole('button', { name: 'Save mapping' }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()

    await go('/shared')
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByText('Not a field of this account').waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Unified field').last().fill('/description')
    await page.getByLabel('Source').last().selectOption('value')
    await page.getByLabel('Value').last().fill('Ours')
    await page.getByText('Sets it to "Ours"').or(page.getByText('Changes it to "Ours"')).waitFor()
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByRole('button', { name: 'Save as version 3' }).waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('always ["house"]').waitFor()

    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('link', { name: 'Open in explorer' }).waitFor()
    await visit(page, `${session.service.url}/dashboard/w/sandbox/accounts/${account}/mapping-keys`)
    await page.getByRole('link', { name: /^urmap/ }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await deletes(name, '/shared')
    await page.getByText('No shared mappings').waitFor()
  })
})

test('no page logged an error or requested another origin', () => {
  expect(session.complaints).toEqual([])
})
