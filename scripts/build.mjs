// Bundles the service, its threads, the sandbox and the command line into dist, and builds the documentation site.
// Loading a thousand small modules took three quarters of the startup time and a quarter of the memory.
import { rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { notices } from './notices.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const { output } = await build({
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
  external: ['pg-native'], // never installed
  plugins: [notices()],
  output: { dir: 'dist', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  logLevel: 'warn',
})

// The build runs without node_modules.
const outside = new Set(output.flatMap((chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]))
const chunks = new Set(output.map((chunk) => chunk.fileName))
const missing = [...outside].filter((name) => !isBuiltin(name) && !chunks.has(name) && name !== 'pg-native')
if (missing.length > 0) throw new Error(`the build needs ${missing.join(', ')}, which is not in it`)

// An older Node.js cannot load TypeScript. It cannot run the service either, and the setup says so afterwards.
if (Number.parseInt(process.versions.node, 10) >= 24) {
  const { buildSite } = await import('./docs-site.ts')
  buildSite(`${root}dist/docs`, { reference: '/reference', document: '/openapi.json' })
}
