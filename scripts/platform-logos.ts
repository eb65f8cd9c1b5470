// The logos of platforms on the pages for customers, as paths of a 24 × 24 SVG, from the package simple-icons. It has
// only some of the platforms; the others are shown with their initials, as is WooCommerce,
// whose logo is a word that cannot be read at this size.
import { siBigcommerce, siQuickbooks, siShopify, siSquare, siXero, siZoho } from 'simple-icons'

const icons = {
  bigcommerce: siBigcommerce,
  'quickbooks-online': siQuickbooks,
  shopify: siShopify,
  square: siSquare,
  xero: siXero,
  'zoho-books': siZoho,
  'zoho-inventory': siZoho,
}

export const logoFile = (): string =>
  [
    '// Generated from simple-icons (CC0-1.0, LICENSES/CC0-1.0.txt) by `npm run docs`. The marks belong to their owners.',
    'export const platformLogos: Readonly<Record<string, string>> = {',
    ...Object.entries(icons).map(
      ([platform, { path }]) => `  ${/\W/.test(platform) ? `'${platform}'` : platform}: '${path}',`,
    ),
    '}\n',
  ].join('\n')
