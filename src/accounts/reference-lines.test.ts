import { expect, it } from 'vitest'
import { readLines } from './reference-lines.ts'

const valuesOf = (format: 'csv' | 'ndjson', content: string) => {
  const read = readLines(format, content)
  return 'error' in read ? read.error : read.lines.map(({ line, value }) => [line, value])
}

it.each([',', ';', '\t'])(
  'CSV may be parted by %j, quoted, in any order of columns, with lines of any system',
  (separator) => {
    const rows = ['Native ID', 'sourceId', 'note'].join(separator)
    const content = `\u{feff}${rows}\r\n"N ""1""${separator}x"${separator}S1${separator}"two\nlines"\r\n\r\nN2${separator}S2${separator}`
    expect(valuesOf('csv', content)).toEqual([
      [2, { nativeId: `N "1"${separator}x`, sourceId: 'S1' }],
      [5, { nativeId: 'N2', sourceId: 'S2' }],
    ])
  },
)

it('a CSV file without the columns is refused as a whole', () => {
  expect(valuesOf('csv', 'a,b\n1,2')).toEqual({
    line: 1,
    message:
      'the first line must name the columns entityType, sourceId, nativeId; there is no sourceId and no nativeId',
  })
})

it('a quote that is never closed is an error that names its line, not one huge value', () => {
  expect(valuesOf('csv', `sourceId,nativeId\nS1,N1\nS2,"${'x'.repeat(9 * 1024 * 1024)}`)).toEqual({
    line: 3,
    message: 'a cell has no end; check for an extra quote',
  })
})

it('lines of blanks, and lines of old Macs, are read as by the command line', () => {
  expect(valuesOf('csv', 'sourceId,nativeId\rS1,N1\r  \rS2,"a""b"')).toEqual([
    [2, { sourceId: 'S1', nativeId: 'N1' }],
    [4, { sourceId: 'S2', nativeId: 'a"b' }],
  ])
})

it('a line that is no JSON object says so and stops nothing', () => {
  expect(valuesOf('ndjson', '{"sourceId":"S"}\n\n[1]\n{')).toEqual([
    [1, { sourceId: 'S' }],
    [3, 'is not a JSON object'],
    [4, 'is not JSON'],
  ])
})
