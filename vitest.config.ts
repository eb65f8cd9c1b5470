import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-postgres.ts'],
    pool: 'forks',
    maxWorkers: 4, // most of the time is spent waiting: for slots, for the next second, for processes
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
