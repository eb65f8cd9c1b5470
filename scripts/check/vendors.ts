// `npm run vendors -- --from <folder>` checks BigCommerce, Clover, Toast and Zoho Books against the vendors' own files.
// Those files state no license and must not be redistributed: their digests stay in .cache/vendor-digests, and `npm
// test` does not run these tests.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { configDefaults } from 'vitest/config'
import { startVitest } from 'vitest/node'

const root = join(import.meta.dirname, '../..')
const unlicensed = ['bigcommerce', 'clover', 'toast', 'zoho-books']

function readFolder(): string {
  try {
    const { from } = parseArgs({ options: { from: { type: 'string' } } }).values
    if (from && statSync(from, { throwIfNoEntry: false })?.isDirectory()) return from
    console.error(from ? `--from: ${from} is not a folder.` : '--from is missing.')
  } catch (error) {
    console.error((error as Error).message)
  }
  console.error('Usage: npm run vendors -- --from <folder of the vendor files>')
  process.exit(2)
}

const folder = readFolder()
const made = spawnSync(process.execPath, [join(root, 'scripts/check/vendor-digest.ts'), folder, ...unlicensed], {
  stdio: 'inherit',
})
if (made.status !== 0) process.exit(made.status ?? 1)
const vitest = await startVitest('test', [], {
  root,
  watch: false,
  include: ['{src,test}/**/*.vendor-file.test.ts'],
  exclude: configDefaults.exclude,
  globalSetup: [],
})
const files = vitest.state.getTestModules()
const skipped = files.flatMap((file) => [...file.children.allTests('skipped')])
const missing = unlicensed.filter((platform) => !files.some(({ moduleId }) => moduleId.includes(`/${platform}/`)))
await vitest.close()
if (skipped.length > 0 || missing.length > 0) {
  console.error(`Not run: ${[...missing, ...skipped.map(({ fullName }) => fullName)].join(', ')}`)
  process.exitCode = 1
}
