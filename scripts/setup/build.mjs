// Bundles the service, its threads, the sandbox and the command line into dist, and builds the documentation site.
// Loading a thousand small modules took three quarters of the startup time and a quarter of the memory.
import { rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { notices } from '../release/notices.mjs'
import { usedFiles } from './start-install.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A cheaper start. Importing a built-in module reads all its exports: those of node:http load its fetch and WebSocket.
 * And Node.js loads a file of ASCII characters faster, in half of the memory.
 */
const fastStart = {
  name: 'fast-start',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      // An older Node.js reads main.mjs, and has no getBuiltinModule.
      const code = chunk.fileName === 'main.mjs' ? chunk.code : chunk.code.replaceAll(builtinImport, withoutImport)
      if (/\\[\u0080-\uffff]/.test(code.replaceAll('\\\\', '')))
        throw new Error(`${chunk.fileName} escapes a character that is not ASCII`)
      chunk.code = code.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}
/** By way of globalThis, because node:process is one of them. */
const builtinImport = /^import (?:(\w+)|\* as (\w+)|(?:(\w+), )?\{ ([^}]+) \}) from "(node:[\w/]+)";$/gm
function withoutImport(_, byDefault, namespace, both, named, module) {
  const whole = byDefault ?? namespace ?? both
  const parts = named && `{ ${named.replaceAll(' as ', ': ')} }`
  return [whole, parts]
    .flatMap((names) => (names ? [`const ${names} = globalThis.process.getBuiltinModule("${module}");`] : []))
    .join(' ')
}

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
  plugins: [notices(), fastStart, usedFiles('service')],
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
  const { buildSite } = await import('../docs/docs-site.ts')
  buildSite(`${root}dist/docs`, { reference: '/reference', document: '/openapi.json' })
}
