import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const built = ['packages/dashboard/dist/index.html', 'dist/main.mjs', 'packages/client/dist/index.js']

/** Runs the setup with a lock file and an npm that fails with `code` where it may answer from its cache. */
function setUp(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-setup-'))
  for (const part of ['src', 'programs', ...built.map(dirname)]) mkdirSync(join(folder, part), { recursive: true })
  for (const file of ['setup.mjs', 'source-state.mjs'])
    cpSync(join(root, 'scripts', file), join(folder, 'scripts', file))
  const manifest = { name: 'project', version: '1.0.0' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...manifest, packages: { '': manifest } }))
  const calls = join(folder, 'calls')
  const npm = [
    '#!/bin/sh',
    `echo "$*" >> '${calls}'`,
    `case "$*" in *--prefer-offline*) echo "npm error code ${code}" >&2; exit 1;; esac`,
    'mkdir -p node_modules',
    ...built.map((file) => `touch ${file}`),
  ]
  writeFileSync(join(folder, 'programs/npm'), npm.join('\n'), { mode: 0o755 })
  const { PATH } = process.env
  const path = [join(folder, 'programs'), dirname(process.execPath), PATH].join(delimiter)
  const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs'], {
    cwd: folder,
    env: { PATH: path },
    encoding: 'utf8',
  })
  const installs = readFileSync(calls, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('ci'))
  rmSync(folder, { recursive: true })
  return { status, stderr, installs }
}

it('installs from the cache of npm, and asks the registry if the cache is older than the lock file', () => {
  const { status, installs } = setUp('ETARGET')
  expect([status, installs]).toEqual([
    0,
    [expect.stringContaining('--prefer-offline'), expect.not.stringContaining('offline')],
  ])
})

it('does not repeat an installation that failed for another reason', () => {
  const { status, stderr, installs } = setUp('ENOTFOUND')
  expect([status, installs]).toEqual([1, [expect.stringContaining('--prefer-offline')]])
  expect(stderr).toContain('npm error code ENOTFOUND')
  expect(stderr).toMatch(/`npm ci .*` failed \(1\)\. Its output is above\./)
})
