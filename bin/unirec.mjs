#!/usr/bin/env node
// The command line: src/cli/main.ts, or its build. Plain JavaScript, because older Node.js must be able to read it.
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { handOver, isCheckout, isNewEnough, root, serve } from './launcher.mjs'

if (process.argv[2] === 'serve') serve(process.argv.slice(3))
else if (isNewEnough) {
  module.enableCompileCache() // types are stripped once, not at every start: half of the time until the first word
  await import(await program())
} else handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)])

/** The build starts in half of the time, if it is that of these sources. */
async function program() {
  if (!isCheckout) return '../dist/cli/main.mjs'
  const { isServiceBuilt } = await import('../scripts/setup/source-state.mjs')
  return isServiceBuilt(root) ? '../dist/cli/main.mjs' : '../src/cli/main.ts'
}
