// No test depends on luck or on the speed of the machine. Each rule is a function of text, so that a planted violation
// proves that it can fail.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Rule {
  name: string
  pattern: RegExp
  instead: string
  violations: readonly string[]
  allowed: readonly string[]
  /** Files that may do it, with the reason. */
  exceptions?: Readonly<Record<string, string>>
}

const rules: readonly Rule[] = [
  {
    name: 'randomness',
    pattern: /\bMath\.random\b/,
    instead: 'count, or take a seeded generator: a failure must come again',
    violations: ['const one = all[Math.floor(Math.random() * all.length)]'],
    allowed: ['const salt = randomBytes(8)'],
    exceptions: { 'test/architecture.test.ts': 'forbids it in connectors' },
  },
  {
    name: 'a wait for a time',
    pattern: /\bsetTimeout\b|\bwaitForTimeout\b|\bsleep\(/,
    instead: 'wait for the event with until or expect.poll, or use quiet for time in which nothing may happen',
    violations: [
      'await new Promise((resolve) => setTimeout(resolve, 500))',
      "import { setTimeout as sleep } from 'node:timers/promises'",
      'await page.waitForTimeout(100)',
    ],
    allowed: ['await quiet(50)', 'page.context().setDefaultTimeout(120_000)'],
    exceptions: {
      'test/house/slow-database.test.ts': 'delays what a database sends',
      'test/order-platform.ts': 'a platform whose calls take effect late',
    },
  },
  {
    name: 'a wait with a short limit',
    pattern: /\bvi\.wait(For|Until)\(/,
    instead: 'vi.waitFor gives up after a second: use until or expect.poll',
    violations: ['await vi.waitFor(() => expect(received).toHaveLength(2))'],
    allowed: ['await expect.poll(() => received.length).toBe(2)'],
  },
  {
    name: 'a limit of its own',
    pattern: /\b(testTimeout|hookTimeout)\b|\bpoll\([^;]*?\{[^}]*\btimeout:|^ *\}?,? *\d{1,2}_\d{3},?\n? *\)/m,
    instead: 'leave out the limit: those of vitest.config.ts are for what hangs',
    violations: [
      'vi.setConfig({ testTimeout: 60_000 })',
      'await expect.poll(count, { timeout: 5_000 }).toBe(2)',
      '  },\n  60_000,\n)',
      '}, 30_000)',
    ],
    allowed: ['await expect.poll(count, { interval: 200 }).toBe(2)', '  },\n  runMs + 300_000,\n)'],
  },
  {
    name: 'a deadline',
    pattern: /\bdeadline\b|Date\.now\(\) *[<>]|performance\.now\(\) *[<>-]/,
    instead: 'wait for the event with until, which has no limit of its own',
    violations: [
      'for (const deadline = Date.now() + 30_000; ; ) if (await look()) break',
      'while (Date.now() < end) await look()',
      'const took = performance.now() - began',
    ],
    allowed: ['const since = new Date(Date.now() - 3_600_000)'],
    exceptions: {
      'test/e2e/instances.test.ts': 'a load of some seconds, and how many windows have passed',
      'test/replicated-postgres.ts': 'reports how long it took',
    },
  },
  {
    name: 'a network that is quiet by chance',
    pattern: /networkidle/,
    instead: 'wait for what the test needs to be visible, or for loaded',
    violations: ["await page.waitForLoadState('networkidle')"],
    allowed: ["await page.waitForLoadState('load')"],
  },
  {
    name: 'a port that another process may have',
    pattern: /\.listen\((?!\))|\bfreePort\(/,
    instead: 'use listenHere, and PORT=0 for a service',
    violations: ["server.listen(8080, '127.0.0.1')", "server.listen(0, '127.0.0.1')", 'const port = await freePort()'],
    allowed: ['await service.listen()', 'const port = await listenHere(server)'],
    exceptions: {
      'test/e2e/cli-listen.test.ts': 'the service starts again at the address that a command knows',
      'test/e2e/migrate.test.ts': 'the service starts again at the address that a command knows',
      'test/e2e/npm-start.test.ts': 'shows that a port is free again',
      'test/house/connect-proxy.ts': 'the proxy starts again at the same port',
      'test/pgbouncer.ts': 'it cannot choose a port itself',
      'test/postgres.ts': 'it cannot choose a port itself',
      'test/repeat.test.ts': 'the planted test has no helper, and the system chooses its port',
    },
  },
  {
    name: 'the end of a process whose output is not read yet',
    pattern: /(?<!process)\.(once|on)\('exit'|once\((?!process\b)[\w.]+, 'exit'/,
    instead: 'wait for close, which comes after the last output',
    violations: ["child.once('exit', () => resolve(printed))", "await once(service.child, 'exit')"],
    allowed: ["process.once('exit', remove)", "child.once('close', () => resolve(printed))"],
    exceptions: {
      'test/pgbouncer.ts': 'nothing is read after it',
      'test/postgres.ts': 'nothing is read after it',
      'test/replicated-postgres.ts': 'nothing is read after it',
    },
  },
]

const root = join(import.meta.dirname, '..')
/** Helpers, and rules with planted violations. */
const helpers = ['test/until.ts', 'test/free-port.ts', 'test/listen.ts', 'test/luck.test.ts', 'test/steady.test.ts']
const files = globSync('test/{*,{browser,client,e2e,house,isolation}/*}.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !helpers.includes(path))
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
const breaks = ({ pattern }: Rule, text: string) => pattern.test(withoutComments(text))

describe.each(rules)('$name', (rule) => {
  const { violations, allowed, exceptions = {}, instead } = rule
  const found = files.filter((path) => breaks(rule, readFileSync(join(root, path), 'utf8')))

  it(`is in no test; ${instead}`, () => {
    expect(found.filter((path) => !(path in exceptions))).toEqual([])
    expect(
      Object.keys(exceptions).filter((path) => !found.includes(path)),
      'exceptions that are not needed',
    ).toEqual([])
  })
  it.each(violations)('is found: %s', (text) => {
    expect(breaks(rule, text)).toBe(true)
  })
  it.each(allowed)('is not what this does: %s', (text) => {
    expect(breaks(rule, text)).toBe(false)
  })
})
