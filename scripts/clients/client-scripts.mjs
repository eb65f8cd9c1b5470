// Builds the client as far as the examples need it: without declarations, and so without the compiler. `npm run build`
// in packages/client writes them as well.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('../../packages/client/', import.meta.url))
rmSync(`${folder}dist`, { recursive: true, force: true })
await build({
  cwd: folder,
  input: ['src/index.ts', 'src/generated/manage.ts'],
  output: { dir: 'dist', preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
  logLevel: 'warn',
})
