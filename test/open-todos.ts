import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `npm run new-entity` has left to a person, in all files of the platforms below `root`. */
export const openTodos = (root: string, platforms = '*'): string[] =>
  globSync(`src/platforms/${platforms}/**/*.{ts,json}`, { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?<=\/\/ |")TODO\b.*/g)].map(
      ([todo]) => `${path.replaceAll('\\', '/')}: ${todo}`,
    ),
  )
