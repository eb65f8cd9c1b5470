// Copies the code of a request from a page, and runs it as a user does: in a shell, and in a folder with the clients.
import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'

const root = join(import.meta.dirname, '../..')
export const copiedLanguages = ['curl', 'TypeScript', 'Python'] as const
type Language = (typeof copiedLanguages)[number]

export async function copyAs(page: Page, language: Language): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const code = page.locator('.request-code').first()
  await code.getByRole('button', { name: language, exact: true }).click()
  // The page says "Copied" for a moment only.
  await page.evaluate("navigator.clipboard.writeText('')")
  await code.getByRole('button', { name: `Copy as ${language}` }).click()
  return until('the copy', async () => (await page.evaluate('navigator.clipboard.readText()')) as string)
}

/** Returns what it prints. */
export async function runCopied(language: Language, text: string, apiKey: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-copied-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const [program, file] = {
    curl: ['sh', 'copied.sh'],
    TypeScript: [process.execPath, 'copied.mts'],
    Python: ['python3', 'copied.py'],
  }[language] as [string, string]
  writeFileSync(join(folder, file), text)
  const env = {
    ...process.env,
    UNIREC_API_KEY: apiKey,
    PYTHONPATH: join(root, 'packages/client-python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  return new Promise((resolve, reject) => {
    execFile(program, [file], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    )
  })
}
