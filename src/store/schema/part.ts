import type { RawBuilder } from 'kysely'

/**
 * What one migration from before a release did. A database that has run it has its name and skips it. A part without
 * a name always runs.
 */
export interface Part {
  name?: string
  statements: readonly RawBuilder<unknown>[]
}
export type NamedPart = Part & { name: string }
/** All changes of one release. It is never edited after the release: the next change is the next migration. */
export interface ReleaseMigration {
  name: string
  parts: readonly Part[]
}
