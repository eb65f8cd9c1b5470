// One PostgreSQL server for all test files. Each creates its own database with `freshDatabase(inject('postgresUrl'),
// inject('postgresTemplate'))`: a copy with all tables. A test of the first start leaves out the template, so that its
// database is empty. One folder for all temporary files, which is removed at the end.

import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { findProgram } from '../scripts/setup/programs.mjs'
import { caseSeed } from './case-choice.ts'
import { seedOfCommit } from './commit-seed.ts'
import { memoryFolder } from './memory-folder.ts'
import { obtainPrograms } from './obtain-programs.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres } from './postgres.ts'
import { createTemplate } from './store-on.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    postgresTemplate: string
    /** With POOLER=1: where the databases of the tests of the store are reached through PgBouncer. */
    poolerUrl: string | undefined
  }
}

/**
 * All workers load the same thousand modules at the same time. On a fresh clone, this process compiles them for all while
 * the database starts, which halves the work. What does not load is reported by its tests.
 */
async function compileSources({ config }: TestProject): Promise<void> {
  const modules = ['src/cli/run.ts', 'src/conformance/harness.ts', 'test/service-here.ts', 'test/browser/chromium.ts']
  const script = `await Promise.all(${JSON.stringify(modules.map((file) => `./${file}`))}.map((file) => import(file)))`
  const options = { cwd: join(import.meta.dirname, '..'), env: { ...process.env, ...config.env }, timeout: 60_000 }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options).catch(() => undefined)
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.env.CASES ??= String(seedOfCommit()) // the workers inherit it
  caseSeed() // throws if it is no seed
  // The processes of the tests run the build.
  execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/setup/setup.mjs'), 'test'], {
    stdio: 'inherit',
  })
  const compiled = process.env.COMPILE_SOURCES ? compileSources(project) : undefined
  await obtainPrograms()
  for (const tag of project.config.tags) tag.skip = !findProgram(tag.name)
  // The workers inherit it. No test cuts the power, so no commit has to wait for the disk.
  const folder = mkdtempSync(join(memoryFolder, 'unified-records-tests-'))
  chmodSync(folder, 0o711) // PostgreSQL runs as another user
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { url, stop } = await startPostgres()
  await compiled
  // On a busy machine hundreds of statements at once wait longer for a connection than callers of the service should.
  project.provide('postgresUrl', `${url}?connect_timeout=120`)
  project.provide('postgresTemplate', await createTemplate(url))
  const pooler = process.env.POOLER ? await startPgBouncer(url) : undefined
  project.provide('poolerUrl', pooler?.pooled(url))
  return async () => {
    await pooler?.stop()
    await stop()
  }
}
