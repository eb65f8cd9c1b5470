// `node scripts/check/start-check.mjs`: the first command as a newcomer gives it. Starts the service with `npm start`, or with
// the given command, makes the first call, and prints the time and what is in node_modules. Fails if a start has
// installed more than it may. Plain JavaScript without dependencies, because it runs on a fresh clone,
// on any system and on Node.js 20.
import { spawn, spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const largestMegabytes = 200
const root = fileURLToPath(new URL('../..', import.meta.url))
const isWindows = process.platform === 'win32'
const data = mkdtempSync(join(tmpdir(), 'unified-records-start-'))

const [command, ...parameters] = process.argv.length > 2 ? process.argv.slice(2) : ['npm', 'start']
const start = performance.now()
const service = spawn(command, parameters, {
  cwd: root,
  env: { ...process.env, PORT: '0', DATA_DIR: data },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: !isWindows,
  shell: isWindows,
})
const ended = new Promise((resolve) => service.on('close', resolve))

async function listening() {
  let printed = ''
  for await (const piece of service.stdout) {
    printed += piece
    const [, url] = /^listening on (http:\S+)$/m.exec(printed) ?? []
    if (url) return url
  }
  throw new Error(`It has ended:\n${printed}`)
}

async function firstCall(url) {
  const { apiKey } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'))
  const response = await fetch(`${url}/unified/sandbox-square-restaurant/product?pageSize=2`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const page = await response.json()
  if (response.status !== 200 || page.data.length !== 2) throw new Error(`the first call: ${JSON.stringify(page)}`)
}

function sizeOf(folder) {
  const sums = { bytes: 0, files: 0 }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const { blocks, size } = lstatSync(path)
    const inner = entry.isDirectory() ? sizeOf(path) : { bytes: 0, files: 1 }
    sums.bytes += (blocks === undefined ? size : blocks * 512) + inner.bytes
    sums.files += inner.files
  }
  return sums
}

try {
  const url = await listening()
  const seconds = (performance.now() - start) / 1000
  await firstCall(url)
  const { bytes, files } = sizeOf(join(root, 'node_modules'))
  const megabytes = bytes / 1e6
  console.log(`${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB in ${files} files`)
  const isStartOnly = readFileSync(join(root, 'node_modules/.unified-records-installed'), 'utf8').endsWith(' start')
  if (isStartOnly && megabytes > largestMegabytes)
    throw new Error(
      `A start installs at most ${largestMegabytes} MB. scripts/setup/start-install.mjs says what it keeps.`,
    )
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  if (isWindows) spawnSync('taskkill', ['/pid', String(service.pid), '/t', '/f'])
  else if (service.exitCode === null) process.kill(-service.pid, 'SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
