// Rows under a header, in columns that are as wide as their widest cell.
import type { Output } from './command.ts'
import { inline } from './printable.ts'

/** A cell without a value is empty. */
export function showTable(
  output: Output,
  header: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): void {
  const lines = [header, ...rows].map((row) => row.map((cell) => inline(String(cell ?? ''))))
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines)
    output.line(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
