// Categories, tags, brands and the currency.
import type { Collection } from '../../../sandbox/collection.ts'
import type { Handler, Routes } from '../../../sandbox/router.ts'
import { accept, listed, refuse } from './wire.ts'
import { kses, slugOf, type Term, type World } from './world.ts'

const api = '/wp-json/wc/v3'
const invalidTerm = () => refuse(404, 'woocommerce_rest_term_invalid', 'Resource does not exist.')

export const termByName = (terms: Collection<Term>, name: string): Term | undefined => {
  const target = kses(name.trim()).toLowerCase()
  return terms.find((term) => term.name.toLowerCase() === target)
}
export function addTerm(world: World, terms: Collection<Term>, name: string): Term {
  const id = world.next('term')
  return terms.set(String(id), { id, name: kses(name.trim()), slug: slugOf(name) })
}

function termRoutes(kind: 'categories' | 'tags' | 'brands'): Routes<World> {
  const create: Handler<World> = ({ request, context: world }) => {
    const { name } = accept(request, { name: 'string', slug: 'string', parent: 'integer', description: 'string' })
    if (!name) return refuse(400, 'rest_missing_callback_param', 'Missing parameter(s): name', { params: ['name'] })
    const known = termByName(world[kind], String(name))
    if (known)
      return refuse(400, 'term_exists', 'A term with the name provided already exists with this parent.', {
        resource_id: known.id,
      })
    const term = addTerm(world, world[kind], String(name))
    return {
      status: 201,
      headers: { location: `${world.origin}${api}/products/${kind}/${term.id}` },
      body: shown(term),
    }
  }
  const shown = (term: Term) => ({ ...term, parent: 0, description: '', count: 0 })
  return {
    [`GET ${api}/products/${kind}`]: ({ request, context: world }) => {
      const search = kses(request.query.get('search') ?? '').toLowerCase()
      const rows = world[kind]
        .filter(({ name }) => name.toLowerCase().includes(search))
        .map((term) => ({ ...term, created: 0, modified: 0 }))
      const orders = {
        id: ({ id }: Term) => id,
        include: ({ id }: Term) => id,
        name: ({ name }: Term) => name.toLowerCase(),
        slug: ({ slug }: Term) => slug,
      }
      return listed(request, rows, {
        ...world,
        orders,
        initially: { by: 'name', order: 'asc' },
        render: ({ created: _, modified: __, ...term }) => shown(term),
      })
    },
    [`GET ${api}/products/${kind}/:id`]: ({ params, context: world }) => ({
      status: 200,
      body: shown(world[kind].get(params.id ?? '') ?? invalidTerm()),
    }),
    [`POST ${api}/products/${kind}`]: create,
  }
}

const generalSettings = ({ currency, settings }: World) =>
  (
    [
      ['woocommerce_store_address', 'Address line 1', 'text', '', '210 King Street West'],
      ['woocommerce_store_address_2', 'Address line 2', 'text', '', ''],
      ['woocommerce_store_city', 'City', 'text', '', 'Toronto'],
      ['woocommerce_default_country', 'Country / State', 'select', 'US:CA', 'CA:ON'],
      ['woocommerce_store_postcode', 'Postcode / ZIP', 'text', '', 'M5H 1J8'],
      ['woocommerce_calc_taxes', 'Enable taxes', 'checkbox', 'no', 'yes'],
      ['woocommerce_currency', 'Currency', 'select', 'USD', currency],
    ] as const
  ).map(([id, label, type, standard, value]) => ({
    id,
    label,
    description: '',
    type,
    default: standard,
    tip: '',
    value: settings.get(id) ?? value,
    group_id: 'general',
  }))

export const termAndShopRoutes: Routes<World> = {
  ...termRoutes('categories'),
  ...termRoutes('tags'),
  ...termRoutes('brands'),
  [`GET ${api}/data/currencies/current`]: ({ context: { currency } }) => ({
    status: 200,
    body: { code: currency, name: 'Canadian dollar', symbol: '&#36;' },
  }),
  [`GET ${api}/settings/general`]: ({ context: world }) => ({ status: 200, body: generalSettings(world) }),
}
