import { describe, expect, it } from 'vitest'
import { entities } from '../contract/entities/index.ts'
import { entityTypes } from '../contract/entity.ts'
import { columnsOf, csvHeader, csvLine, recordOf } from './csv.ts'
import { fromArray, fromCsv, fromLines, type ReadRecord } from './record-stream.ts'

/** In pieces of every size, so that every cut falls everywhere. */
async function inPieces(
  text: string,
  read: (chunks: AsyncIterable<string>) => AsyncIterable<ReadRecord>,
  size: number,
): Promise<ReadRecord[]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  const found: ReadRecord[] = []
  for await (const one of read(pieces())) found.push(one)
  return found
}
const sizes = [1, 2, 3, 7, 10_000]

describe('CSV', () => {
  it.each(entityTypes)('carries a full %s there and back, in every flavor', async (entityType) => {
    for (const vertical of entities[entityType].verticals) {
      const columns = columnsOf(entityType, vertical)
      const text = csvHeader(columns) + csvLine(entities[entityType].example, columns)
      const [read] = await inPieces(text, (chunks) => fromCsv(chunks, columns), 5)
      const names = new Set(columns.map(({ path }) => path[0]))
      const expected = Object.fromEntries(
        Object.entries(entities[entityType].example).filter(([name]) => names.has(name)),
      )
      expect(read).toEqual({ line: 2, record: expected })
    }
  })
  it('keeps quotes, commas, line breaks, spaces and the difference between empty and absent', async () => {
    const columns = columnsOf('customer', 'restaurant')
    const records = [
      { externalId: '1', name: 'He said "no", twice\r\nand left', notes: '', email: ' a ' },
      { externalId: '2', name: 'ΑΒΓ 𝒳', address: { city: 'Zürich' }, marketingAllowed: false },
    ]
    const text = csvHeader(columns) + records.map((record) => csvLine(record, columns)).join('')
    for (const size of sizes)
      expect(await inPieces(text, (chunks) => fromCsv(chunks, columns), size)).toEqual([
        { line: 2, record: records[0] },
        { line: 4, record: records[1] },
      ])
  })
  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+cmd|x', "'+cmd|x"],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ["'=1", "''=1"],
    ['+49 (30) 123-4', '+49 (30) 123-4'],
    ['-5', '-5'],
    ['Tea = good', 'Tea = good'],
  ])('writes %s as text that no spreadsheet runs, and reads it back as it was', (name, cell) => {
    const columns = columnsOf('customer', 'restaurant').filter((column) => column.name === 'name')
    expect(csvLine({ name }, columns).trim()).toBe(cell)
    expect(recordOf([cell], columns)).toEqual({ name })
  })
  it('hands on what is no number, so that the service can say what is wrong, and reports rows of another width', async () => {
    const columns = columnsOf('product', 'retail_pos')
    const read = await inPieces(
      'externalId,price,active\nP,much,yes\nP,1\n\nQ,2,TRUE',
      (chunks) => fromCsv(chunks, columns),
      4,
    )
    expect(read).toEqual([
      { line: 2, record: { externalId: 'P', price: 'much', active: 'yes' } },
      { line: 3, unreadable: '2 cells under 3 columns' },
      { line: 5, record: { externalId: 'Q', price: 2, active: true } },
    ])
  })
  it('refuses a column that is not in the schema, with the nearest one', async () => {
    await expect(
      inPieces('externalId,pric\n', (chunks) => fromCsv(chunks, columnsOf('product', 'restaurant')), 100),
    ).rejects.toThrow('did you mean price?')
  })
})

describe('JSON', () => {
  it('lines are read one by one; a broken one is reported with its number', async () => {
    for (const size of sizes)
      expect(await inPieces('{"a":1}\n\n{"a":\n{"a":"ü\\n"}', fromLines, size)).toEqual([
        { line: 1, record: { a: 1 } },
        { line: 3, unreadable: expect.stringContaining('not JSON') },
        { line: 4, record: { a: 'ü\n' } },
      ])
  })
  it('arrays are read element by element, whatever their texts hold', async () => {
    const elements = [{ a: '] , } "\\' }, [1, [2]], { b: { c: [] } }, 5]
    for (const size of sizes)
      expect(await inPieces(JSON.stringify(elements, null, 1), fromArray, size)).toMatchObject(
        elements.map((record) => ({ record })),
      )
    expect(await inPieces('[{"a":1},{"b":', fromArray, 3)).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 1, unreadable: expect.stringContaining('cut off') },
    ])
  })
})
