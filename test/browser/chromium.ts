// The system's Chromium, preferably the one without windows, which needs two thirds of the processor time. If there is
// none, the Debian package is installed if possible; otherwise the test fails with instructions.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
]
const found = () => [process.env.CHROMIUM ?? '', ...candidates].find((path) => path !== '' && existsSync(path))

/** Called once, before the workers of the tests start: `apt-get` refuses to run twice at a time. */
export async function installChromium(): Promise<void> {
  if (found() || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return
  const run = (...parameters: string[]) =>
    promisify(execFile)('apt-get', parameters, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  try {
    await run('update')
    await run('install', '--yes', '--no-install-recommends', 'chromium-headless-shell')
  } catch (error) {
    console.error(`chromium could not be installed: ${(error as Error).message.slice(0, 500)}`)
  }
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = found()
  if (!executablePath)
    throw new Error(
      'The browser tests need Chromium, and none was found. Install it (Debian: apt-get install chromium-headless-shell), or name its program in CHROMIUM.',
    )
  return chromium.launch({ executablePath, args: flags })
}
