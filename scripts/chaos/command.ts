// What the chaos commands of the change feed and of webhooks have in common: their options, and a run per database.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freshDatabase, startPostgres } from '../../test/postgres.ts'

type Kind = 'sqlite' | 'postgres'
export interface ChaosRun {
  kind: Kind
  instances: number
  seed: number
  databaseUrl: string | undefined
}
export interface ChaosCommand {
  seed: number
  text(name: string): string | undefined
  whole(name: string, fallback: number, least?: number): number
  /** By default one instance on SQLite, then three on PostgreSQL. `run` returns how many violations it has found. */
  onEach(run: (run: ChaosRun) => Promise<number>): Promise<never>
}

/** `names`: of options with a value. With `safeguards` as its first argument, it runs the long tests in `folder`. */
export function chaosCommand(folder: string, names: readonly string[]): ChaosCommand {
  const args = process.argv.slice(3)
  if (args[0] === 'safeguards') {
    const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
    const { status } = spawnSync(process.execPath, [vitest, 'run', folder], {
      stdio: 'inherit',
      env: { ...process.env, LONG_TESTS: '1' },
    })
    process.exit(status ?? 1)
  }
  const options = Object.fromEntries(
    [...names, 'instances', 'seed', 'database'].map((name) => [name, { type: 'string' as const }]),
  )
  const values: Partial<Record<string, string | boolean | (string | boolean)[]>> = parseArgs({ args, options }).values
  const text = (name: string) => values[name] as string | undefined
  function whole(name: string, fallback: number, least = 0): number {
    const given = text(name)
    const value = given === undefined ? fallback : Number(given)
    if (!Number.isInteger(value) || value < least)
      throw new Error(`--${name} takes a whole number of at least ${least}, not "${given}"`)
    return value
  }
  const given = text('database')
  if (given !== undefined && given !== 'sqlite' && given !== 'postgres')
    throw new Error(`--database takes sqlite or postgres, not "${given}"`)
  const wanted = text('instances') === undefined ? undefined : whole('instances', 1, 1)
  const database: Kind | undefined = given ?? (wanted === undefined ? undefined : wanted > 1 ? 'postgres' : 'sqlite')
  if (database === 'sqlite' && (wanted ?? 1) > 1) throw new Error('--instances 2 or more needs --database postgres')
  const seed = whole('seed', 1 + Math.floor(Math.random() * 1e9), 1)
  return {
    seed,
    text,
    whole,
    async onEach(run) {
      let violations = 0
      for (const kind of database ? [database] : (['sqlite', 'postgres'] as const)) {
        const postgres = kind === 'postgres' ? await startPostgres() : undefined
        try {
          const databaseUrl = postgres && (await freshDatabase(postgres.url))
          violations += await run({ kind, instances: wanted ?? (kind === 'postgres' ? 3 : 1), seed, databaseUrl })
        } finally {
          await postgres?.stop()
        }
      }
      // Without it, Node.js can wait forever for the handles of processes that were killed.
      process.exit(violations === 0 ? 0 : 1)
    },
  }
}
