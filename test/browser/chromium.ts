// The system's Chromium, preferably the one without windows, which needs two thirds of the processor time. Without one:
// see test/obtain-programs.ts.
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { findProgram, howToInstall } from '../../scripts/setup/programs.mjs'
import { obtainChromium } from '../obtain-programs.ts'

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
export async function launchChromium(given?: string): Promise<Browser> {
  if (!given && !findProgram('chromium')) await obtainChromium()
  const executablePath = given ?? findProgram('chromium')
  if (!executablePath)
    throw new Error(`Chromium is missing: ${howToInstall(['chromium'])}, or name its program in CHROMIUM.`)
  // The same language on every machine, and the hardest one: Chromium reports "en-US@posix", which Intl refuses.
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, LANGUAGE: '', LC_ALL: 'C.UTF-8' } })
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
