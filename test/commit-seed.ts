// The seed of the checked-out commit: see test/case-choice.ts.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberOf } from './case-choice.ts'

/** Without git or a repository, as in an unpacked archive, it is that of the version. */
export function seedOfCommit(root: string = join(import.meta.dirname, '..')): number {
  try {
    return numberOf(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim())
  } catch {
    return numberOf(
      String((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version),
    )
  }
}
