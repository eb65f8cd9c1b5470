// A plugin of rolldown and Vite: writes the licenses of the packages that are in a bundle beside it. Most of them must
// accompany every copy.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

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

export const notices = () => ({
  name: 'third-party-notices',
  generateBundle(_, bundle) {
    const folders = new Set(
      Object.values(bundle).flatMap((chunk) =>
        (chunk.moduleIds ?? []).flatMap((id) => packageOf.exec(id.replace(/^\0+/, ''))?.[1] ?? []),
      ),
    )
    const found = new Map([...folders].map(noticeOf).map(({ name, text }) => [name, text]))
    const sorted = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => text)
    this.emitFile({ type: 'asset', fileName: noticesFile, source: `${sorted.join(`\n\n${line}\n\n`)}\n` })
  },
})
