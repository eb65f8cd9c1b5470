// A few nodes of Shopify's product taxonomy: https://shopify.github.io/product-taxonomy
const nodes: Readonly<Record<string, string>> = {
  aa: 'Apparel & Accessories',
  'aa-1': 'Clothing',
  'aa-5-4': 'Tote Bags',
  ap: 'Animals & Pet Supplies',
  el: 'Electronics',
  fb: 'Food, Beverages & Tobacco',
  'fb-1': 'Beverages',
  hg: 'Home & Garden',
  'hg-11': 'Kitchen & Dining',
  sg: 'Sporting Goods',
  'sg-4': 'Outdoor Recreation',
}
export const categories = Object.keys(nodes)
export const categoryName = (id: string): string => nodes[id] ?? id
export const hasCategory = (id: string): boolean => Object.hasOwn(nodes, id)
