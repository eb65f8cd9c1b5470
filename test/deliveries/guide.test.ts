// The commands and the receiver of docs/webhooks.md, run as they are printed; only ports and folders differ.
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliProgram } from '../cli-process.ts'
import { type BuiltPackage, buildPackage, runNode, tool } from '../client/built-package.ts'
import { freePort } from '../free-port.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'
import { watchProcess } from '../watched-process.ts'

const guide = readFileSync('docs/webhooks.md', 'utf8')
const blocks = [...guide.matchAll(/```(sh|ts)\n([\s\S]*?)```/g)].map(([, language, text = '']) => ({ language, text }))
const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim())
const [, prepare = '', receive = '', change = '', listen = ''] = commands
const code = blocks.find(({ language }) => language === 'ts')?.text ?? ''

let service: ServiceHere
let built: BuiltPackage
let port: string
const running: ChildProcess[] = []
beforeAll(async () => {
  ;[service, built, port] = await Promise.all([
    openServiceHere({ DATABASE_URL: '' }, ['square']),
    buildPackage(),
    freePort().then(String),
  ])
  writeFileSync(join(built.project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(built.project, 'receiver.ts'), here(code))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await service?.stop()
  built?.remove()
})

const here = (text: string) =>
  text
    .replaceAll('npx unirec', `"${process.execPath}" "${cliProgram}"`)
    .replaceAll('npx node', `exec "${process.execPath}"`)
    .replaceAll('./data/', `${service.dataDir}/`)
    .replaceAll('node -p', `"${process.execPath}" -p`)
    .replaceAll('3000', port)
function run(command: string) {
  const env = { ...process.env, DATA_DIR: service.dataDir }
  const { child, until, exited } = watchProcess('sh', ['-c', here(command)], { cwd: built.project, env })
  running.push(child)
  return {
    ended: exited,
    until: async (pattern: RegExp): Promise<string> => (await until(pattern))[1] ?? '',
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

it('leads from npm start to a verified event', { tags: ['curl'] }, async () => {
  expect([commands[0], commands.length]).toEqual(['npm start', 5])
  const prepared = run(prepare)
  const secret = await prepared.until(/secret +(whsec_\S+)/)
  await prepared.ended
  // What exists before the first walk ends is not reported.
  await run('while ! npx unirec watch list sandbox-square-restaurant | grep "complete until"; do :; done').ended
  const receiver = run(receive.replace('whsec_…', secret))
  const [added = ''] = await addProduct()
  await receiver.until(new RegExp(`verified product.created [\\s\\S]*externalId: '${added}'`))
  await receiver.stop()

  // The same receiver behind unirec listen.
  const listening = run(listen.replace('npx unirec', 'exec npx unirec'))
  const own = await listening.until(/^secret: (whsec_\S+)$/m)
  await listening.until(/^listening/m)
  const local = run(receive.replace('whsec_…', own))
  const [later = ''] = await addProduct()
  await local.until(new RegExp(`verified product.created [\\s\\S]*externalId: '${later}'`))
  await listening.stop()
  await local.stop()
})

async function addProduct(): Promise<string[]> {
  const changing = run(change)
  const ids = await changing.until(/"ids":\[([^\]]+)\]/)
  return JSON.parse(`[${ids}]`) as string[]
}

it('has a receiver without a type error', async () => {
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2024', types: ['node'], noEmit: true }
  const config = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['receiver.ts'] }
  writeFileSync(join(built.project, 'tsconfig.json'), JSON.stringify(config))
  const { code: exitCode, output } = await runNode([tool('typescript-native/bin/tsc'), '-p', built.project])
  expect(exitCode, output).toBe(0)
})
