// npm run release -- VERSION [--out FOLDER] [--date YYYY-MM-DD] [--dry-run] [--pack-only]
// Writes the version everywhere and its heading in the changelog, packs the tarballs, the bill of materials and their
// checksums into FOLDER (release/VERSION by default), then commits and tags. It pushes and publishes nothing.
// A version whose heading and files are already committed is packed and tagged. --dry-run changes nothing.
// --pack-only packs the version that is checked out, without a commit or a tag.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { versionFiles, versionsIn, writeVersion } from './versions.ts'

const root = join(import.meta.dirname, '../..')
const changelogFile = join(root, 'CHANGELOG.md')
const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trimEnd()

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}

const usage = 'Usage: npm run release -- VERSION [--out FOLDER] [--date YYYY-MM-DD] [--dry-run | --pack-only]'
function parameters() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        date: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        'pack-only': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return refuse(`${(error as Error).message}. ${usage}`)
  }
}
const { values, positionals } = parameters()
const [version = '', ...rest] = positionals
const numbers = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/
if (!numbers.test(version) || rest.length > 0)
  refuse(`The version must have the form 1.2.3${version && `, not "${positionals.join(' ')}"`}. ${usage}`)
const date = values.date ?? new Date().toISOString().slice(0, 10)
if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
  refuse(`--date takes a day such as 2026-11-18, not "${date}".`)

const tag = `v${version}`
const out = resolve(root, values.out ?? join('release', version))
const [current = ''] = versionsIn(root, 'package.json')
const ranked = (text: string) =>
  text
    .split('.')
    .map((part) => part.padStart(9, '0'))
    .join('.')

if (existsSync(out) && readdirSync(out).length > 0) refuse(`${out} is not empty. Choose another folder with --out.`)
if (values['pack-only']) {
  if (version !== current) refuse(`package.json has the version ${current}, not ${version}.`)
  console.log(pack('').join('').trimEnd())
  process.exit(0)
}
const changed = git('status', '--porcelain')
if (changed) refuse(`Commit or stash these changes first:\n${changed}`)
if (git('tag', '--list', tag)) refuse(`The tag ${tag} exists. Choose the next version.`)
if (ranked(version) < ranked(current)) refuse(`${version} is lower than ${current}, the version of package.json.`)

/** The lines of the checksums. */
function pack(undo: string): string[] {
  for (const script of [
    ['scripts/release/pack.ts', out],
    ['scripts/release/sbom.ts', join(out, 'sbom.cdx.json')],
  ]) {
    const { status } = spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' })
    if (status !== 0) refuse(`${script[0]} failed. ${undo}`.trimEnd())
  }
  const lines = readdirSync(out)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''))
  return lines
}

/** The text between a heading and the next one. */
function entryOf(changelog: string, heading: RegExp): string | undefined {
  const found = heading.exec(changelog)
  if (!found) return undefined
  const from = found.index + found[0].length
  const next = changelog.indexOf('\n## ', from)
  return changelog.slice(from, next < 0 ? undefined : next).trim()
}
const before = readFileSync(changelogFile, 'utf8')
const unreleased = entryOf(before, /^## Unreleased$/m)
if (unreleased === undefined) refuse('CHANGELOG.md has no heading "## Unreleased".')
const described = entryOf(before, new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(.*\\)$`, 'm'))
if (described !== undefined && unreleased)
  refuse(`CHANGELOG.md has entries under "Unreleased" and a heading for ${version}. Move the entries below it.`)
if (described === undefined && !unreleased)
  refuse(`CHANGELOG.md has no entry for ${version}: write what has changed below "Unreleased".`)
const entry = described ?? unreleased
const after =
  described === undefined ? before.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`) : before

const files = versionFiles(root)
const outdated = files.filter((path) => versionsIn(root, path).some((stated) => stated !== version))
if (values['dry-run']) {
  console.log(`Release ${version} (nothing is changed)`)
  for (const path of outdated) console.log(`  write ${version} to ${path}`)
  if (after !== before) console.log(`  add the heading "${version} (${date})" to CHANGELOG.md`)
  console.log(`  pack tarballs, sbom.cdx.json and SHA256SUMS into ${out}`)
  if (outdated.length > 0 || after !== before) console.log(`  commit "Release ${version}"`)
  console.log(`  tag ${tag}\n\n${entry}`)
  process.exit(0)
}

for (const path of outdated) writeVersion(root, path, version)
if (after !== before) writeFileSync(changelogFile, after)
const sums = pack('Nothing was committed or tagged. `git restore .` undoes the new version.')

const paths = [...outdated, 'CHANGELOG.md']
if (git('status', '--porcelain', '--', ...paths)) {
  git('add', '--', ...paths)
  git('commit', '--quiet', '--message', `Release ${version}`)
}
execFileSync('git', ['tag', '--annotate', tag, '--cleanup=verbatim', '--file', '-'], {
  cwd: root,
  input: `${version}\n\n${entry}\n`,
})
console.log(`Tagged ${tag}. Files in ${out}:\n${sums.join('')}Publish with \`git push --follow-tags\`.`)
