// Runs the sandbox as a separate process, for the service that started it or for a developer.
import { simulators } from '../platforms/simulators.ts'
import { accountsOf } from './control.ts'
import { createSandbox } from './sandbox.ts'

const { SANDBOX_PORT = '0', PACE_SCALE = '1', SANDBOX_SIZE = 'full', SANDBOX_FILE, SANDBOX_PLATFORMS } = process.env

if (SANDBOX_SIZE !== 'small' && SANDBOX_SIZE !== 'full') throw new Error('SANDBOX_SIZE must be small or full')
const sandbox = await createSandbox({
  simulators: chosen(SANDBOX_PLATFORMS || Object.keys(simulators).join()),
  size: SANDBOX_SIZE,
  port: readNumber('SANDBOX_PORT', SANDBOX_PORT),
  paceScale: readNumber('PACE_SCALE', PACE_SCALE),
  file: SANDBOX_FILE || undefined,
}).catch((error: Error) => {
  console.error(`the sandbox cannot start: ${error.message}`)
  process.exit(1)
})

console.log(JSON.stringify({ listening: sandbox.url }))
process.send?.({ listening: sandbox.url, accounts: accountsOf(sandbox) })

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await sandbox.close()
  process.exit(0)
}
for (const event of ['disconnect', 'SIGINT', 'SIGTERM'] as const) process.on(event, stop)

function chosen(text: string): typeof simulators {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !simulators[name])
  if (unknown.length > 0)
    throw new Error(`SANDBOX_PLATFORMS takes ${Object.keys(simulators).join(', ')}; not ${unknown.join(', ')}`)
  return Object.fromEntries(Object.entries(simulators).filter(([name]) => names.includes(name)))
}
function readNumber(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number < 0) throw new Error(`${name} must be a number`)
  return number
}
