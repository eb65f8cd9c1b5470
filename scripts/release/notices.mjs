// A plugin of rolldown: writes the licenses of what is in a bundle beside it, of packages and of folders of the sources
// that have a LICENSE of their own. Most of them must accompany every copy.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const noticesFile = 'THIRD-PARTY-NOTICES.txt'
const packageOf = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
const line = '-'.repeat(80)

/** Without a text of its own: what package.json says. */
function noticeOf(folder) {
  const {
    name,
    version,
    license = 'not stated',
    author,
    homepage,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
  const owner = typeof author === 'string' ? author : author?.name
  return {
    name: `${name} ${version}`,
    text: [
      `${name} ${version} (${license})`,
      ...texts.map((file) => readFileSync(join(folder, basename(file)), 'utf8').trim()),
      ...(texts.length === 0 ? [[owner, homepage].filter(Boolean).join(', ')] : []),
    ].join('\n\n'),
  }
}

const copiedNotice = (folder) => {
  const name = basename(folder)
  return { name, text: `${name}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}` }
}

export const notices = () => ({
  name: 'third-party-notices',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((chunk) => (chunk.moduleIds ?? []).map((id) => id.replace(/^\0+/, '')))
    const packages = new Set(ids.flatMap((id) => packageOf.exec(id)?.[1] ?? []))
    const copied = new Set(ids.filter((id) => !packageOf.test(id)).map((id) => dirname(id)))
    const all = [
      ...[...packages].map(noticeOf),
      ...[...copied].filter((folder) => existsSync(join(folder, 'LICENSE'))).map(copiedNotice),
    ]
    const found = new Map(all.map(({ name, text }) => [name, text]))
    const sorted = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => text)
    this.emitFile({ type: 'asset', fileName: noticesFile, source: `${sorted.join(`\n\n${line}\n\n`)}\n` })
  },
})
