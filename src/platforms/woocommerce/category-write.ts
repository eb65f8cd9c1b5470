// Categories by name: https://woocommerce.github.io/woocommerce-rest-api-docs/#product-categories
import type { WriteCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { get, post } from '../../kit/requests.ts'
import { api, idNumber, perPage, readPage } from './api.ts'
import { plain } from './html.ts'
import type { Term } from './product-row.ts'

const address = `${api}/products/categories`

/** The platform silently skips an unknown category, so it is looked up first. */
export async function categoryById(call: WriteCall, id: string): Promise<Term> {
  const found: Term | undefined = (await ifFound(call.read(get(`${address}/${idNumber(id, 'categories')}`))))?.body
  if (!found) throw refusal('categories', `WooCommerce has no category ${id}`)
  return found
}
async function findByName(call: WriteCall, name: string): Promise<Term | undefined> {
  for (let page = 1; ; page++) {
    const { rows, more } = await readPage<Term>(call, address, {
      search: name,
      orderby: 'id',
      order: 'asc',
      per_page: perPage,
      page,
    })
    const found = rows.find((term) => plain(term.name)?.toLowerCase() === name.toLowerCase())
    if (found || !more) return found
  }
}
/** The shop's category with that name, created if there is none, as the platform itself does with tags. */
export async function categoryByName(call: WriteCall, asked: string): Promise<Term> {
  const name = asked.trim()
  const known = await findByName(call, name)
  if (known) return known
  try {
    return await call.write<Term>('category', {
      request: post(address, { name }),
      read: ({ body }) => body,
      recovery: { find: () => findByName(call, name) },
      // It stays if the product is rejected: another product may use it by then. An empty category does no harm.
      undo: 'nothing',
    })
  } catch (error) {
    // Another write created it in the meantime.
    const made =
      error instanceof NativeFailure && error.error.code === 'term_exists' ? await findByName(call, name) : undefined
    if (made) return made
    throw error
  }
}
