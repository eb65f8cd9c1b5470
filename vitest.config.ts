import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    isolate: false, // modules hold no state that tests could see: loading them anew for every file was a third of the work
    maxWorkers: 4, // most of the time is spent waiting: for slots, for the next second, for processes
    retry: process.env.CI ? 1 : 0, // real sockets and processes on a machine nobody watches: one stutter is not a fault, two are; vitest says which were tried twice
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
