// `npm run repeat` on small test files of its own.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBusy } from '../scripts/check/busy.ts'
import { type WatchedProcess, watchProcess } from './watched-process.ts'

const root = join(import.meta.dirname, '..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-repeat-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each line of the journal is a test that ran, in order. */
const journal = (name: string) =>
  readFileSync(join(folder, name, 'journal'), 'utf8')
    .trim()
    .split('\n')

function plant(name: string, files: Record<string, string>): string[] {
  const project = join(folder, name)
  mkdirSync(project)
  for (const [file, body] of Object.entries(files))
    writeFileSync(
      join(project, file),
      `import { appendFileSync } from 'node:fs'
       const note = (name) => appendFileSync(${JSON.stringify(join(project, 'journal'))}, name + '\\n')
       ${body}`,
    )
  // The sequencer of this project, without its services.
  writeFileSync(
    join(project, 'vitest.config.mjs'),
    `import project from ${JSON.stringify(join(root, 'vitest.config.ts'))}
     export default { test: { ...project.test, include: ['*.test.mjs'], globalSetup: [], globals: true } }`,
  )
  return ['--root', project, '--maxWorkers', '1']
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const start = (...words: string[]): WatchedProcess =>
  watchProcess(process.execPath, [join(root, 'scripts/check/repeat.ts'), ...words], { cwd: root })
async function repeat(...words: string[]) {
  const run = start(...words)
  return { code: await run.exited, printed: run.printed() }
}
const seedsOf = (printed: string) =>
  [...printed.matchAll(/^\w+ +run \d+ of \d+, seed (\d+):/gm)].map(([, seed]) => seed)

const again = (printed: string) => /^Again: npm run repeat -- (.*)$/m.exec(printed)?.[1]
/** A test that fails in its second run, and only then. */
const failsOnce = `import { readFileSync } from 'node:fs'
  it('holds', () => undefined)
  it('fails once', () => {
    note('run')
    const runs = readFileSync(new URL('journal', import.meta.url), 'utf8').trim().split('\\n').length
    console.log('said in run', runs)
    expect(runs).not.toBe(2)
  })`

describe('npm run repeat', () => {
  it('runs files and tests in another order each time, and in the same order with the same seed', async () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const testsOf = (file: string) => [1, 2, 3].map((number) => `it('${number}', () => note('${file}${number}'))`)
    const options = plant(
      'orders',
      Object.fromEntries(files.map((file) => [`${file}.test.mjs`, testsOf(file).join('\n')])),
    )
    const { code, printed } = await repeat('2', ...options)
    expect(code).toBe(0)
    const seeds = seedsOf(printed)
    const lines = journal('orders')
    const orders = seeds.map((_, run) => lines.slice(run * 24, run * 24 + 24))
    expect([new Set(seeds).size, lines.length]).toEqual([2, 48])
    expect(orders.map((order) => order.toSorted())).toEqual(orders.map(() => orders[0]?.toSorted()))
    const filesIn = (order: string[]) => [...new Set(order.map((name) => name[0]))].join('')
    expect(new Set(orders.map(filesIn)).size).toBeGreaterThan(1)
    expect(orders.map((order) => order.filter((name) => name.startsWith('a')).join(' '))).not.toEqual(
      orders.map(() => 'a1 a2 a3'),
    )
    expect((await repeat('1', '--seed', String(seeds[1]), ...options)).code).toBe(0)
    expect(journal('orders').slice(48)).toEqual(orders[1])
  })

  it('reports a test that failed once with its run, seed and output, a skipped test and a broken file', async () => {
    const options = plant('once', {
      'once.test.mjs': failsOnce,
      'broken.test.mjs': `throw new Error('not today')`,
      'skipped.test.mjs': `it('rests', ({ skip }) => skip()); it('works', () => undefined)`,
    })
    const { code, printed } = await repeat('2', ...options)
    const [first, second] = seedsOf(printed)
    expect(code).toBe(1)
    expect(printed).toMatch(
      new RegExp(`^── run 2, seed ${second}: .*once\\.test\\.mjs: fails once ──\n.*2 not to be 2`, 'm'),
    )
    expect(printed).toContain('not today')
    const failed = [...printed.matchAll(/^FAILED in (\d of \d) runs: .*\/(.*) \(seeds? (.*)\)$/gm)].map((row) =>
      row.slice(1),
    )
    expect(failed.toSorted()).toEqual([
      ['1 of 2', 'once.test.mjs: fails once', second],
      ['2 of 2', 'broken.test.mjs', `${first}, ${second}`],
      ['2 of 2', 'skipped.test.mjs: rests (skipped)', `${first}, ${second}`],
    ])
    expect(printed.match(/^ +\d+ +\d+ +\d+\.\d +\d+ +\d+$/gm)?.map((row) => row.trim().split(/ +/).slice(3))).toEqual([
      ['3', '2'],
      ['2', '3'],
    ])
    expect(again(printed)).toBe(`1 ${options.join(' ')} --seed ${first}`)
    expect(printed.trim().split('\n').at(-1)).toBe('2 of 2 runs; tests that ever failed: 3')
    const logs = [...printed.matchAll(/is in (.*\.log)\.$/gm)].map(([, file]) => join(root, file as string))
    expect(logs.map((log) => /said in run \d/.exec(readFileSync(log, 'utf8'))?.[0])).toEqual([
      'said in run 1',
      'said in run 2',
    ])
    rmSync(dirname(logs[0] as string), { recursive: true })
  })

  it('ends its load and its tests when it is interrupted, and says what it has found so far', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    const connected = once(server, 'connection') as Promise<[Socket]>
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const options = plant('interrupted', {
      'hangs.test.mjs': `import { connect } from 'node:net'
        it('hangs', () => { connect(${port}, '127.0.0.1'); return new Promise(() => undefined) })`,
    })
    const run = start('5', '--busy', '2', ...options)
    await run.until(/Beside processes \d+, \d+\.\n/)
    const [socket] = await connected
    const closed = once(
      socket.on('error', () => undefined),
      'close',
    )
    run.child.kill('SIGTERM')
    // It resolves when the last process that holds its standard error has ended; the load does.
    expect(await run.exited).toBe(143)
    await closed
    server.close()
    expect(run.printed().trim().split('\n').at(-1)).toBe(
      '0 of 5 runs beside 2 busy processes; tests that ever failed: 0',
    )
  })

  it.each([
    [[], 'How many times? Nothing is not a number from 1.'],
    [['src/kit'], 'How many times? src/kit is not a number from 1.'],
    [['2', '--busy', 'very'], '--busy takes a whole number from 0; not very.'],
    [['2', '--seed'], '--seed takes a whole number from 0; not nothing.'],
  ])('rejects %j', async (words, why) => {
    const { code, printed } = await repeat(...words)
    expect([code, printed.split('\n')[0]]).toEqual([2, why])
  })
})

describe('the load', () => {
  it('takes processor time in each of its processes, and ends when asked to', async () => {
    const { pids, stop } = await startBusy(2)
    const ticksOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13])
    if (process.platform === 'linux') for (const pid of pids) await expect.poll(() => ticksOf(pid)).toBeGreaterThan(20)
    await stop()
    expect(pids.map((pid) => isAlive(pid))).toEqual([false, false])
  })

  it('ends with the process that started it, even after a SIGKILL', async () => {
    const code = `const { startBusy } = await import(${JSON.stringify(pathToFileURL(join(root, 'scripts/check/busy.ts')).href)})
      await startBusy(2)
      console.log('started')`
    const run = watchProcess(process.execPath, ['--input-type=module', '--eval', code], {})
    await run.until(/started/)
    run.child.kill('SIGKILL')
    expect(await run.exited).toBeNull() // as above
  })
})
