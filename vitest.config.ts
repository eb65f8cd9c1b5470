import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { programs } from './scripts/setup/programs.mjs'

/**
 * Shuffled when the tests are, as by `npm run repeat`. Otherwise, what lasts long begins first, so that no worker is left alone with it at the end: the browser, which needs a core, in
 * turns with the platforms, whose tests often wait for a slot or a time-out.
 */
const inBrowser = /\/test\/browser\//
const long = /\/test\/[\w-]+\/|\/src\/(platforms|conformance|engine\/outbound\/pacing)\//

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    if (sequence.shuffle) {
      const rank = ({ moduleId }: TestSpecification) => hash('sha1', `${sequence.seed} ${relative(root, moduleId)}`)
      return files.toSorted((left, right) => rank(left).localeCompare(rank(right)))
    }
    const kind = ({ moduleId }: TestSpecification) =>
      inBrowser.test(moduleId) ? 'browser' : long.test(moduleId) ? 'others' : 'short'
    const { browser = [], others = [], short = [] } = Object.groupBy(await super.sort(files), kind)
    const inTurns = browser.flatMap((file) => [file, ...others.splice(0, 1)])
    return [...inTurns, ...others, ...short]
  }
}

export default defineConfig({
  test: {
    // What takes minutes and is rarely needed runs with a command of its own: `npm run chaos -- safeguards`.
    include: process.env.LONG_TESTS ? ['test/**/*.long.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They need files that may not be redistributed: `npm run vendors`.
    exclude: [...configDefaults.exclude, '**/*.vendor-file.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // A test names the programs of the system that it runs. Without one it is not run: see test/global-setup.ts.
    tags: Object.entries(programs).map(([name, { purpose }]) => ({ name, description: purpose })),
    pool: 'forks',
    // Modules hold no state that tests could see: loading them again for every file was a third of the work.
    isolate: false,
    // Node.js runs the sources itself, as it does in production. Transforming them took longer than importing them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The processes of the tests share what they compile, with each other and with the next run.
    // A proxy of the machine is not for the services of the tests.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), HTTPS_PROXY: '', https_proxy: '' },
    maxWorkers: 8, // on two cores: much of the time is spent waiting, for slots, for the next second, for processes
    // Limits for what hangs. A busy machine must never reach them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
