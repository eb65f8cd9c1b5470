// Bundles the service, its threads, the sandbox and the command line into dist, and builds the documentation site. Loading a thousand small modules took
// three quarters of the startup time and a quarter of the memory.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
await build({
  cwd: root,
  input: {
    main: 'src/main.ts',
    'sandbox/main': 'src/sandbox/main.ts',
    'cli/main': 'src/cli/main.ts',
    'threads/activity-worker': 'src/threads/activity-worker.ts',
    'threads/journal-worker': 'src/threads/journal-worker.ts',
    'threads/reader-worker': 'src/threads/reader-worker.ts',
  },
  platform: 'node',
  // One is never installed, the other is read when its page is opened.
  external: ['pg-native', '@scalar/fastify-api-reference'],
  output: { dir: 'dist', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  logLevel: 'warn',
})
// An older Node.js cannot load TypeScript. It cannot run the service either, and the setup says so afterwards.
if (Number.parseInt(process.versions.node, 10) >= 24) {
  const { buildSite } = await import('./docs-site.ts')
  buildSite(`${root}dist/docs`, { reference: '/reference', document: '/openapi.json' })
}
