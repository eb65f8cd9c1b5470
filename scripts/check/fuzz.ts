// `npm run fuzz -- --requests 1000000 --seed 7 --seconds 3600 --jobs 2 --database postgres`: hostile requests on every
// route, hostile responses from every platform, on SQLite and then on PostgreSQL unless `--database` names one.
// `--repeat SEED:PATH` repeats one case of an earlier run. `npm run fuzz -- native --requests 200000`: native calls only.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type FuzzOptions, type FuzzResult, megabytes, runFuzz } from '../../test/fuzz/run.ts'
import { freshDatabase, startPostgres } from '../../test/postgres.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    repeat: { type: 'string' },
    jobs: { type: 'string' },
    database: { type: 'string' },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
/**
 * One job per core; more in a long run, because the records and the audit log of a job slow down its later requests.
 */
const longest = 200_000
const jobs = values.repeat
  ? 1
  : values.jobs
    ? Number(values.jobs)
    : Math.max(availableParallelism(), Math.ceil(requests / longest))
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed) || !Number.isInteger(jobs) || jobs < 1) {
  console.error('--requests, --seed and --jobs take whole numbers.')
  process.exit(2)
}
if (positionals.join() === 'native') {
  const { runNativeFuzz } = await import('../../test/fuzz/native.ts')
  const { reached, statuses, violations, seconds } = await runNativeFuzz({ requests, seed })
  console.log(
    `native: ${requests} requests in ${seconds.toFixed(1)} s, ${reached} reached the platform; responses: ${JSON.stringify(statuses)}; violations: ${violations.length}`,
  )
  for (const violation of violations) console.log(violation)
  process.exit(violations.length === 0 ? 0 : 1)
}
if (positionals.length > 0) {
  console.error('The only word is native.')
  process.exit(2)
}
const databases = ['sqlite', 'postgres'] as const
type Database = (typeof databases)[number]
const chosen = databases.filter((database) => values.database === undefined || values.database === database)
if (chosen.length === 0 || (values.repeat && chosen.length > 1)) {
  console.error(`--database takes ${databases.join(' or ')}; --repeat requires it.`)
  process.exit(2)
}
/** Batches increment the seed, so the seeds of the jobs are far enough apart that no two jobs send the same. */
const seedsApart = 1_000_000

const add = (all: Record<string, number>, more: Record<string, number>) => {
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count
}
const table = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/** Each against a separate service in a separate process. */
function runJob(job: number, database: Database): Promise<FuzzResult | undefined> {
  const part = Math.floor(requests / jobs) + (job < requests % jobs ? 1 : 0)
  const given = [
    '--requests',
    String(part),
    '--seed',
    String(seed + job * seedsApart),
    '--jobs',
    '1',
    '--database',
    database,
    ...(values.seconds ? ['--seconds', values.seconds] : []),
  ]
  return new Promise((resolve) => {
    const child = fork(import.meta.filename, given)
    let result: FuzzResult | undefined
    child.on('message', (message: FuzzResult) => {
      result = message
    })
    child.on('exit', (code) => {
      if (!result) console.error(`job ${job} ended with code ${code}`)
      resolve(result)
    })
  })
}

async function run(database: Database): Promise<FuzzResult[]> {
  if (jobs > 1)
    return (await Promise.all(Array.from({ length: jobs }, (_, job) => runJob(job, database)))).filter(
      (result) => result !== undefined,
    )
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const options: FuzzOptions = {
    requests,
    seed,
    say: console.log,
    seconds: values.seconds ? Number(values.seconds) : undefined,
    repeat: values.repeat || undefined,
    databaseUrl: postgres && (await freshDatabase(postgres.url)),
  }
  try {
    return [await runFuzz(options)]
  } finally {
    await postgres?.stop()
  }
}

/** Prints the results on one database; false when a job or a check failed. */
function show(database: Database, results: FuzzResult[]): boolean {
  const kinds: Record<string, number> = {}
  const statuses: Record<string, number> = {}
  for (const result of results) {
    add(kinds, result.kinds)
    add(statuses, result.statuses)
  }
  const sum = (pick: (result: FuzzResult) => number) => results.reduce((all, result) => all + pick(result), 0)
  const seconds = Math.max(...results.map((result) => result.seconds))
  console.log(
    `${database}: ${sum(({ requests: sent }) => sent)} requests in ${seconds.toFixed(1)} s (${Math.round(sum(({ requests: sent }) => sent) / seconds)} per second); processor: service ${sum(({ cpuSeconds }) => cpuSeconds.service).toFixed(1)} s, callers ${sum(({ cpuSeconds }) => cpuSeconds.callers).toFixed(1)} s`,
  )
  console.log(`kinds: ${table(kinds)}`)
  console.log(`responses: ${table(statuses)}`)
  for (const { before, after } of results)
    console.log(
      `memory: heap ${megabytes(before.heapUsed)} -> ${megabytes(after.heapUsed)} MB, resident ${megabytes(before.rss)} -> ${megabytes(after.rss)} MB; connections left: ${after.connections}; pages read in threads: ${after.threadReads}`,
    )
  const violations = results.flatMap((result) => result.violations)
  console.log(`violations: ${violations.length}`)
  for (const { what, repeat, shrunk } of violations)
    console.log(
      `\n${what}\n${shrunk}${repeat ? `\nagain: npm run fuzz -- --repeat ${repeat} --database ${database}` : ''}`,
    )
  return violations.length === 0 && results.length === jobs
}

console.log(`seed ${seed}`)
if (process.send) {
  const [result] = await run(chosen[0] as Database)
  process.send(result, () => process.exit(0))
} else {
  let passed = true
  for (const database of chosen) passed = show(database, await run(database)) && passed
  process.exit(passed ? 0 : 1)
}
