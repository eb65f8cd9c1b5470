// The languages of the pages for customers.
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

export const languages = { en, de, fr, es }
export type Language = keyof typeof languages
export type Word = keyof Words

/** A text for the customer. English shows the detail, where there is one; it exists only in English. */
export interface Message {
  word: Word
  values?: Readonly<Record<string, string>>
  detail?: string
}
export type Say = (word: Word, values?: Message['values']) => string
/** The language of a page. */
export interface Speech {
  language: Language
  say: Say
}

export const sayIn =
  (language: Language): Say =>
  (word, values = {}) =>
    languages[language][word].replaceAll(/\{(\w+)\}/g, (braced, name: string) => values[name] ?? braced)

const known = (tag: string): Language | undefined =>
  Object.keys(languages).find((language) => language === tag.trim().toLowerCase().split('-')[0]) as Language | undefined

/** The first that is known, of the tags in order. */
export const languageOf = (tags: readonly string[]): Language | undefined =>
  tags.map(known).find((language) => language !== undefined)

/** The tags of an Accept-Language header, the preferred one first. */
export function acceptedTags(header: string): string[] {
  const weighted = header.split(',').map((part) => {
    const [tag = '', weight] = part.split(';')
    const quality = weight === undefined ? 1 : Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 0)
    return { tag, quality }
  })
  return weighted
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}
