// The published package: small, tree-shakable, without dependencies, and valid for package linters.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltPackage, buildPackage, runNode } from './built-package.ts'

const require = createRequire(import.meta.url)
let built: BuiltPackage
beforeAll(async () => {
  built = await buildPackage()
})
afterAll(() => built?.remove())

/** The bundle size of a program with only this line. */
async function bundle(code: string): Promise<string> {
  const entry = join(built.project, 'program.js')
  writeFileSync(entry, code)
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: built.project,
    build: { write: false, minify: true, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'program' } },
  })
  const [{ output }] = result as unknown as [{ output: { code: string }[] }]
  return output.map((chunk) => chunk.code).join('')
}

it('costs less than 10 KB, minified and compressed', async () => {
  const code = await bundle("export * from '@unified-records/client'")
  expect(code).toContain('/oauth/server/access-token')
  expect(gzipSync(code).length).toBeLessThan(10_000)
})

it('adds nothing that is not used', async () => {
  expect((await bundle("import '@unified-records/client'")).trim()).toBe('')
  const error = await bundle("export { UnifiedError } from '@unified-records/client'")
  expect(error).toContain('extends Error')
  expect(error).not.toMatch(/oauth|unified\/|fetch/)
  expect((await bundle("export * from '@unified-records/client/manage'")).length).toBeLessThan(50)
})

it('needs no Node API and no other package', () => {
  const imports = globSync('dist/**/*.js', { cwd: built.folder }).flatMap((file) =>
    [...readFileSync(join(built.folder, file), 'utf8').matchAll(/from ["']([^"']+)["']/g)].map(([, name]) => name),
  )
  expect(imports).toContain('./client.js')
  expect(imports.filter((name) => !/^\.{1,2}\/[\w/-]+\.js$/.test(name as string))).toEqual([])
  const manifest = JSON.parse(readFileSync(join(built.folder, 'package.json'), 'utf8'))
  expect(manifest.dependencies ?? manifest.peerDependencies ?? {}).toEqual({})
})

it('has nothing that publint would change', async () => {
  const { messages, pkg } = await publint({ pkgDir: built.folder, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

it('has types for every module resolution of ES modules', async () => {
  const { code, output } = await runNode([
    join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js'),
    '--pack',
    built.folder,
    '--profile',
    'esm-only',
    '--format',
    'json',
  ])
  expect(output).toContain('"@unified-records/client"')
  expect(code, output.slice(0, 2000)).toBe(0)
})
