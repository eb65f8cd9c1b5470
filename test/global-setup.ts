// One PostgreSQL server for all test files; each gets its own database with `freshDatabase(inject('postgresUrl'))`.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // The processes of the tests run the build.
  execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/setup.mjs')], { stdio: 'inherit' })
  const { url, stop } = await startPostgres()
  project.provide('postgresUrl', url)
  return stop
}
