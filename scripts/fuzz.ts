// `npm run fuzz -- --requests 1000000 --seed 7 --seconds 3600`: hostile requests on every route, hostile answers from every platform. `--repeat SEED:PATH` sends one case of an earlier run again.
import { parseArgs } from 'node:util'
import { type FuzzOptions, megabytes, runFuzz } from '../test/fuzz/run.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' }, seconds: { type: 'string' }, repeat: { type: 'string' } },
})
const options: FuzzOptions = {
  requests: Number(values.requests),
  seed: Number(values.seed),
  ...(values.seconds ? { seconds: Number(values.seconds) } : {}),
  ...(values.repeat ? { repeat: values.repeat } : {}),
  say: console.log,
}
if (!Number.isInteger(options.requests) || options.requests < 1 || !Number.isInteger(options.seed)) {
  console.error('--requests and --seed take whole numbers.')
  process.exit(2)
}
console.log(`seed ${options.seed}`)
const { requests, kinds, statuses, violations, before, after, seconds, cpuSeconds } = await runFuzz(options)
const table = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
console.log(
  `${requests} requests in ${seconds.toFixed(1)} s (${Math.round(requests / seconds)} per second); processor: service ${cpuSeconds.service.toFixed(1)} s, callers ${cpuSeconds.callers.toFixed(1)} s`,
)
console.log(`kinds: ${table(kinds)}`)
console.log(`answers: ${table(statuses)}`)
console.log(
  `memory: heap ${megabytes(before.heapUsed)} -> ${megabytes(after.heapUsed)} MB, resident ${megabytes(before.rss)} -> ${megabytes(after.rss)} MB; connections left: ${after.connections}`,
)
console.log(`violations: ${violations.length}`)
for (const { what, repeat, shrunk } of violations) console.log(`\n${what}\n${shrunk}${repeat ? `\nagain: npm run fuzz -- --repeat ${repeat}` : ''}`)
process.exit(violations.length > 0 ? 1 : 0)
