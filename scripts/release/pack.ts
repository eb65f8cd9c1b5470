// `npm run pack -- OUT` writes what is published to the folder OUT: the npm packages unified-records,
// @unified-records/client and @unified-records/connect, and the wheel and the source archive of the Python client.
// `npm run pack -- --stage FOLDER` only lays out the files of the service, for the container image.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stagePackage } from './pack-stage.ts'

const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({ options: { stage: { type: 'string' } }, allowPositionals: true })
const [out] = positionals
if (positionals.length > 1 || Boolean(out) === Boolean(values.stage)) {
  console.error('Usage: npm run pack -- OUT, or npm run pack -- --stage FOLDER')
  process.exit(2)
}
const target = resolve(out ?? (values.stage as string))
if (existsSync(target) && readdirSync(target).length > 0) {
  console.error(`${target} is not empty. Name a new or an empty folder.`)
  process.exit(2)
}
mkdirSync(target, { recursive: true })
run(process.execPath, ['scripts/setup/setup.mjs', values.stage ? 'start' : 'test'])
if (values.stage) stagePackage(target)
else pack(target)

function pack(folder: string): void {
  const staged = mkdtempSync(join(tmpdir(), 'unified-records-pack-'))
  try {
    stagePackage(staged)
    const parameters = ['pack', '--silent', '--pack-destination', folder]
    for (const from of [staged, join(root, 'packages/client'), join(root, 'packages/connect')]) npm(parameters, from)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
  run('python3', ['scripts/release/pack-python.py', folder])
  for (const file of readdirSync(folder).sort())
    console.log(`${file}  ${(statSync(join(folder, file)).size / 1024).toFixed(0)} KB`)
}

/** On Windows, `npm` is a script for a shell, which cuts paths at spaces. The npm that runs this script needs none. */
function npm(parameters: string[], cwd: string): void {
  const { npm_execpath: program } = process.env
  if (program?.endsWith('.js')) run(process.execPath, [program, ...parameters], cwd)
  else run('npm', parameters, cwd)
}
/** The output of the tools is of interest only when they fail. */
function run(command: string, parameters: string[], cwd = root): void {
  execFileSync(command, parameters, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
