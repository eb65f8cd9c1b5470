// Every language has every text, with the same values in it.
import { expect, it } from 'vitest'
import { acceptedTags, languageOf, languages, sayIn } from './words.ts'

const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

it.each(['de', 'fr', 'es'] as const)('%s has every text of the pages, translated, with the same values', (language) => {
  const [english, translated] = [languages.en, languages[language]] as Record<string, string>[]
  expect(Object.keys(translated!)).toEqual(Object.keys(english!))
  for (const [word, text] of Object.entries(translated!)) {
    expect([word, valuesIn(text)]).toEqual([word, valuesIn(english![word]!)])
    expect(text.trim(), word).not.toBe('')
  }
  // Sentences are translated; a single word can be the same in two languages.
  const same = Object.keys(english!).filter(
    (word) => / \w+ /.test(english![word]!) && english![word] === translated![word],
  )
  expect(same).toEqual([])
})

it('the preferred language that is known is used, with its regions', () => {
  const preferred = (header: string) => languageOf(acceptedTags(header))
  expect(['de-AT,en;q=0.9', 'pt, es;q=0.2, fr;q=0.8', 'fr;q=0, es', 'pt-BR', '', 'FR'].map(preferred)).toEqual([
    'de',
    'fr',
    'es',
    undefined,
    undefined,
    'fr',
  ])
  expect(sayIn('de')('connectPlatform', { platform: 'Square' })).toBe('Square verbinden')
})
