// The system's Chromium, preferably the one without windows, which needs two thirds of the processor time. If there is
// none, the Debian package is installed if possible; otherwise the test fails with instructions.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { installPackage } from '../debian.ts'

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
  // A tenth less processor time: fewer processes and threads, no code that is optimized for longer runs, and fewer
  // garbage collections.
  '--in-process-gpu',
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,MediaRouter,OptimizationHints,PaintHolding,SpareRendererForSitePerProcess,Translate',
  '--num-raster-threads=1',
  '--js-flags=--no-opt --single-threaded --min-semi-space-size=16',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
]
const found = () => [process.env.CHROMIUM ?? '', ...candidates].find((path) => path !== '' && existsSync(path))

export async function installChromium(): Promise<void> {
  if (!found()) await installPackage('chromium-headless-shell')
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = found()
  if (!executablePath)
    throw new Error(
      'The browser tests need Chromium, and none was found. Install it (Debian: apt-get install chromium-headless-shell), or name its program in CHROMIUM.',
    )
  return chromium.launch({ executablePath, args: flags })
}

/** The contexts of one test file. */
export interface OpenBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Closes the contexts. */
  close(): Promise<void>
}
let ofThisProcess: Promise<Browser> | undefined
/** The test files of a worker share one Chromium, which ends with the worker. */
export async function openBrowser(): Promise<OpenBrowser> {
  if (!(await ofThisProcess)?.isConnected()) ofThisProcess = launchChromium()
  const browser = await (ofThisProcess as Promise<Browser>)
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(120_000)
      contexts.push(context)
      return context
    },
    async close() {
      for (const context of contexts) await context.close()
    },
  }
}
