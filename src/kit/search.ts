// Searches for products. A unified product is a variant: its name ends with that of the variant, which platforms do not
// search together with the name of the product.
import type { Product } from '../contract/entities/product.ts'

const separator = ' - '

/** The text before the last separator: the name of the product if the text is that of a variant. Else the text. */
export const productName = (text: string): string =>
  text.includes(separator) ? text.slice(0, text.lastIndexOf(separator)) : text

/** The variants of one product that the text names; all of them if it names none. */
export function variantsNamed<Row>(
  rows: readonly Row[],
  text: string,
  unified: (row: Row) => Pick<Product, 'name' | 'sku' | 'barcode'>,
): Row[] {
  const sought = text.toLowerCase()
  const named = rows.filter((row) => {
    const { name, sku, barcode } = unified(row)
    return [name, sku, barcode].some((value) => value?.toLowerCase().includes(sought))
  })
  return named.length > 0 ? named : [...rows]
}
