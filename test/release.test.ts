// The release script in a temporary repository with the real version files. Packing is replaced: it has tests of its own.
// @module-tag git
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { versionFiles, versionsIn } from '../scripts/release/versions.ts'
import { inOrder } from './in-order.ts'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
const clone = mkdtempSync(join(tmpdir(), 'unified-records-release-'))
const out = mkdtempSync(join(tmpdir(), 'unified-records-released-'))

const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: clone, encoding: 'utf8' }).trim()
const write = (path: string, text: string) => writeFileSync(join(clone, path), text)
const commit = () => git('commit', '--quiet', '--all', '--message', 'Change')
function release(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(clone, 'scripts/release/release.ts'), ...parameters],
    {
      cwd: clone,
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr: stderr.trim() }
}

beforeAll(() => {
  for (const path of [...versionFiles(root), 'scripts', '.gitignore', 'README.md'])
    cpSync(join(root, path), join(clone, path), { recursive: true })
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Better\n\n## 0.0.1 (2026-01-01)\n\n- First\n')
  write(
    'scripts/release/pack.ts',
    "import { writeFileSync } from 'node:fs'\nwriteFileSync(process.argv[2] + '/packed.tgz', 'x')\n",
  )
  git('init', '--quiet')
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  git('add', '.')
  commit()
})

it('finds one version in all files', () => {
  const files = versionFiles(root)
  expect(files).toEqual(
    expect.arrayContaining([
      'docs/generated/openapi.json',
      'package-lock.json',
      'package.json',
      'packages/client-python/src/unified_records/__init__.py',
      'packages/client/package.json',
      'packages/connect/package.json',
    ]),
  )
  expect(Object.fromEntries(files.map((path) => [path, [...new Set(versionsIn(root, path))]]))).toEqual(
    Object.fromEntries(files.map((path) => [path, [version]])),
  )
})

it.each([
  [['1.0'], /form 1\.2\.3, not "1\.0"/],
  [['0.0.9'], /^0\.0\.9 is lower than/],
  [[next, '--date', 'today'], /^--date takes a day such as 2026-11-18, not "today"/],
  [[next, '--out', root], /is not empty\. Choose another folder with --out/],
])('refuses %j', (parameters, sentence) => {
  const { status, stderr } = release(...parameters)
  expect([status, stderr]).toEqual([2, expect.stringMatching(sentence)])
})

describe('a release', inOrder, () => {
  it('refuses a changed tree, and a changelog without an entry', () => {
    const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')
    write('CHANGELOG.md', changelog.replace('- Better\n', ''))
    expect(release(next).stderr).toBe('Commit or stash these changes first:\n M CHANGELOG.md')
    commit()
    expect(release(next).stderr).toBe(
      `CHANGELOG.md has no entry for ${next}: write what has changed below "Unreleased".`,
    )
    write('CHANGELOG.md', changelog)
    commit()
  })

  it('says what it would do, and then does it', () => {
    const head = git('rev-parse', 'HEAD')
    const dry = release(next, '--dry-run', '--out', out, '--date', '2026-11-18')
    expect(dry).toMatchObject({ status: 0, stderr: '' })
    expect(dry.stdout).toContain(`write ${next} to packages/client/package.json`)
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([head, '', ''])

    expect(release(next, '--out', out, '--date', '2026-11-18')).toMatchObject({ status: 0, stderr: '' })
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '--format=%s', `${head}..v${next}`)).toBe(`Release ${next}`)
    expect(git('tag', '--list', '--format=%(objecttype) %(contents)')).toBe(`tag ${next}\n\n- Better`)
    for (const path of versionFiles(clone)) expect(new Set(versionsIn(clone, path)), path).toEqual(new Set([next]))
    expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toBe(
      `# Changelog\n\n## Unreleased\n\n## ${next} (2026-11-18)\n\n- Better\n\n## 0.0.1 (2026-01-01)\n\n- First\n`,
    )
    // Only the lines of the version differ, so the files keep the form that their tools give them.
    expect(git('diff', '--stat', head, '--', 'package-lock.json')).toMatch(
      /(\d+) insertions?\(\+\), \1 deletions?\(-\)$/,
    )
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')
    expect(sums.map((line) => line.split('  ')[1])).toEqual(['packed.tgz', 'sbom.cdx.json'])
    expect(sums[0]).toBe(`${createHash('sha256').update('x').digest('hex')}  packed.tgz`)
    expect(release(next).stderr).toBe(`The tag v${next} exists. Choose the next version.`)
  })

  it('commits and tags nothing when packing fails', () => {
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- More\n')
    write('scripts/release/pack.ts', 'process.exit(1)\n')
    commit()
    const head = git('rev-parse', 'HEAD')
    expect(release('99.0.0', '--out', join(out, 'failed')).stderr).toContain('Nothing was committed or tagged.')
    expect([git('rev-parse', 'HEAD'), git('tag', '--list', 'v99.0.0')]).toEqual([head, ''])
    git('restore', '.')
    expect(existsSync(join(out, 'failed'))).toBe(false)
  })
})
