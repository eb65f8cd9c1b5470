// WordPress stores names and texts as HTML: "Salt & Pepper" is stored and returned as "Salt &amp; Pepper".
import { text } from '../../kit/fields.ts'

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const decode = (value: string): string =>
  value.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
const hasTags = (value: string): boolean => /<[a-z/!]/i.test(value)

/** Plain text is returned as plain text; text with tags stays HTML. */
export function plain(value: unknown): string | undefined {
  const found = text(value)
  return found === undefined || hasTags(found) ? found : decode(found)
}
/** Texts of variations are always wrapped in a paragraph. */
export function unwrapped(value: unknown): string | undefined {
  const found = text(value)
  return plain(/^<p>([^<]*)<\/p>$/.exec(found ?? '')?.[1] ?? found)
}
