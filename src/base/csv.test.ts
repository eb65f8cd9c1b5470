import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellText, createCsvParser, csvRow } from './csv.ts'

const cellsOf = (row: string, separator = ',') => {
  const parser = createCsvParser(separator)
  return [...parser.write(row), ...parser.end()].flatMap(({ cells }) => cells)
}
/** A spreadsheet takes this for a formula. */
const runs = (cell: string | undefined) =>
  /^\s*[=@＝＠]/.test(cell ?? '') || (/^\s*[+\-＋－]/.test(cell ?? '') && !/^[+\-＋－\d\s()./]*$/.test(cell ?? ''))

describe('a cell', () => {
  it.each([
    '=1',
    '\n=1',
    '\t=1',
    ' =1',
    '＝1',
    '＋cmd',
    '@x',
    'a;=1',
    'a\t=1',
    'a\r\n=cmd()',
    'a; ＝1',
    '-cmd',
    "'=1",
    "a;'=1",
  ])('that a spreadsheet could run is text, and comes back as it was: %j', (text) => {
    const row = csvRow(['first', text])
    for (const separator of [',', ';', '\t'])
      expect(cellsOf(row, separator).some(runs), `split at ${JSON.stringify(separator)}`).toBe(false)
    expect(cellText(cellsOf(row)[1] as string)).toBe(text)
  })
  it.each(['+1 (415) 555-0100', '-12.50', 'a=b', 'x@y.example', 'a;b', '1 - 2'])(
    'that is no formula stays: %j',
    (text) => expect(cellsOf(csvRow([text]))).toEqual([text]),
  )
  it('comes back as it was, whatever is in it', () => {
    const parts = fc.constantFrom('=', '+', '-', '@', '＝', "'", ';', '\t', '\n', ' ', '"', ',', 'a', '1')
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        expect(cellText(cellsOf(csvRow([text, 'end']))[0] ?? '')).toBe(text)
      }),
      { seed: 53, numRuns: 2000 },
    )
  })
})
