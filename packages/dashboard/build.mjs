// Builds the dashboard into dist. `--watch` builds again after every change.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, watch } from 'rolldown'
import { notices } from '../../scripts/release/notices.mjs'
import { usedFiles } from '../../scripts/setup/start-install.mjs'

const root = import.meta.dirname
const base = '/dashboard/'

/**
 * All styles are one file of about 13 KB compressed, so no page waits for another one. They are in the order of the
 * modules that import them, those of chunks that are loaded later behind the others.
 */
const styles = {
  name: 'styles',
  load: {
    filter: { id: /\.css$/ },
    handler: () => ({ code: '', moduleSideEffects: true, moduleType: 'js' }),
  },
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
    const entry = chunks.find(({ isEntry }) => isEntry)
    const modules = [...entry.imports.map((file) => bundle[file]), entry, ...chunks].flatMap(
      ({ moduleIds }) => moduleIds,
    )
    const imported = modules.flatMap((id) => this.getModuleInfo(id)?.importedIds ?? [])
    const sheets = [...new Set(imported.filter((id) => id.endsWith('.css')))].map((file) => readFileSync(file, 'utf8'))
    const source = sheets
      .join('\n')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\s*\n\s*/g, '\n')
    this.emitFile({ type: 'asset', name: 'style.css', source })
  },
}

/** The page: index.html with the files of the build. */
const page = {
  name: 'page',
  generateBundle(_, bundle) {
    const files = Object.values(bundle)
    const entry = files.find(({ isEntry }) => isEntry)
    const style = files.find(({ fileName }) => fileName.endsWith('.css'))
    const tags = [
      `<script type="module" crossorigin src="${base}${entry.fileName}"></script>`,
      ...entry.imports.map((file) => `<link rel="modulepreload" crossorigin href="${base}${file}">`),
      `<link rel="stylesheet" crossorigin href="${base}${style.fileName}">`,
    ]
    const source = readFileSync(join(root, 'index.html'), 'utf8').replace(
      '</head>',
      `  ${tags.join('\n    ')}\n  </head>`,
    )
    this.emitFile({ type: 'asset', fileName: 'index.html', source })
  },
}

const options = {
  cwd: root,
  input: { index: 'src/main.tsx' },
  plugins: [styles, page, notices(), usedFiles('dashboard')],
  transform: {
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    define: { 'process.env.NODE_ENV': '"production"' },
  },
  output: {
    dir: 'dist',
    minify: true,
    comments: false,
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    assetFileNames: 'assets/[name]-[hash][extname]',
    codeSplitting: {
      // A chunk needs no other chunk than these two, which the first page loads: see src/load-chunk.ts.
      groups: [
        { name: 'libraries', test: /node_modules[\\/](?!uplot)/ },
        { name: 'shared', minShareCount: 2 },
      ],
    },
  },
  logLevel: 'warn',
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
cpSync(join(root, 'public'), join(root, 'dist'), { recursive: true })
if (process.argv.includes('--watch')) {
  const watcher = watch(options)
  watcher.on('event', ({ code, duration, error, result }) => {
    if (code === 'ERROR') console.error(error.message)
    if (code === 'BUNDLE_END') console.log(`built in ${duration} ms`)
    result?.close()
  })
} else await build(options)
