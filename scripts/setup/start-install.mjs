// What the start leaves in node_modules: Node.js, the tools of the builds, and the files that the builds have loaded.
// The rest of the packages (headers of Node.js, declarations, source maps, second formats) is three quarters of the
// files. Plain JavaScript without dependencies, because the setup reads it before anything is installed.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Dependencies that builds run and that are in no build. */
export const buildTools = ['marked', 'rolldown']
const keptWhole = [...buildTools, '@rolldown']
/** What npm, the setup and `scripts/release/notices.mjs` read of a package. */
const keptAlways = /^(package\.json|(licen[cs]e|copying|notice)([.-].*)?)$/i

const usedFilesOf = (root, build) => join(root, '.cache', `used-by-${build}`)

/** A plugin of rolldown: writes down which files of node_modules the build has loaded. */
export const usedFiles = (build) => ({
  name: 'used-files',
  generateBundle() {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const files = [...this.getModuleIds()]
      .map((id) =>
        relative(root, id.replace(/[?\0].*$/, ''))
          .split(sep)
          .join('/'),
      )
      .filter((file) => file.startsWith('node_modules/'))
    const list = usedFilesOf(root, build)
    mkdirSync(dirname(list), { recursive: true })
    writeFileSync(list, `${files.sort().join('\n')}\n`)
  },
})

/** Does nothing if one of the builds has left no list. */
export function slim(root, builds) {
  const lists = builds.map((build) => usedFilesOf(root, build))
  if (!lists.every((list) => existsSync(list))) return
  const used = new Set(lists.flatMap((list) => readFileSync(list, 'utf8').split('\n')))
  /** Whether something is left. */
  function clean(folder) {
    let left = false
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (entry.isSymbolicLink() || isKept(path, entry.name)) left = true
      else if (!entry.isDirectory()) rmSync(join(root, path))
      else if (clean(path)) left = true
      else rmdirSync(join(root, path))
    }
    return left
  }
  const isKept = (path, name) => {
    const [, first, second] = path.split('/')
    if (first.startsWith('.') || keptWhole.includes(first)) return true
    if (first.startsWith('node-') && second === 'bin') return true
    return used.has(path) || keptAlways.test(name)
  }
  clean('node_modules')
}
