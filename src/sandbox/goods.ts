// What seeded shops sell: kinds of goods, each with its category and the range of its price.
export interface Kind {
  name: string
  category: string
  from: number // the lowest and the highest price, in cents of a dollar
  to: number
  styles: readonly string[]
}
export interface Good {
  name: string
  category: string
  cents: number
  sizes: readonly number[] // the price of each size, the smallest first; within the range of the kind
}

const coffee = ['House', 'Iced', 'Large', 'Vanilla', 'Maple', 'Decaf', 'Oat milk', 'Caramel', 'Double']
const drinks = ['House', 'Organic', 'Large', 'Small', 'Ginger', 'Sugar-free', 'Lemon', 'Seasonal', 'Honey']
const food = ['House', 'Spicy', 'Vegan', 'Kids', "Grandma's", 'Seasonal', 'Gluten-free', 'Smoked', 'Crispy']
const sweet = ['House', 'Maple', 'Vegan', 'Kids', "Grandma's", 'Seasonal', 'Gluten-free', 'Raspberry', 'Salted caramel']
const textile = [
  'Classic',
  'Organic',
  'Recycled',
  'Bordeaux',
  'Navy',
  'Bleu de Gênes',
  'Striped',
  'Summer',
  'Winter',
  'Vintage',
  'Off-white',
  'Limited edition',
  'Handmade',
]
const solid = [
  'Classic',
  'Matte black',
  'Bordeaux',
  'Navy',
  'Handmade',
  'Nordic',
  'Studio',
  'Travel',
  'Vintage',
  'Recycled',
  'Summer',
  'Limited edition',
  'Crème',
]

const grocery = ['Organic', 'Sicilian', 'Mountain', 'House', 'Fairtrade', 'Reserve', 'Local', 'Crème', 'Gift box']

type Table = readonly [category: string, styles: readonly string[], prices: Record<string, readonly [number, number]>]
const kindsOf = (tables: readonly Table[]): readonly Kind[] =>
  tables.flatMap(([category, styles, prices]) =>
    Object.entries(prices).map(([name, [from, to]]) => ({ name, category, from, to, styles })),
  )

// The first categories are those of a small shop.
export const dishes = kindsOf([
  [
    'Coffee',
    coffee,
    { 'Flat white': [380, 490], Espresso: [220, 320], Cappuccino: [360, 480], 'Cold brew': [420, 560] },
  ],
  ['Breakfast', sweet, { Pancakes: [850, 1250], 'Açaí bowl': [990, 1350], 'French toast': [1190, 1590] }],
  [
    'Mains',
    food,
    { 'Fish & chips': [1490, 1950], 'Wiener Schnitzel': [1790, 2450], 'Chef\'s "special"': [1690, 2690] },
  ],
  ['Desserts', sweet, { 'Crème brûlée': [750, 990], Tiramisù: [720, 980], Cheesecake: [650, 890] }],
  ['Soft drinks', drinks, { Lemonade: [320, 450], 'Iced tea': [290, 420], 'Orange juice': [380, 520] }],
  ['Tea', drinks, { Chai: [350, 460], 'Matcha latte': [450, 590], 'Peppermint tea': [280, 390] }],
  ['Starters', food, { 'Jalapeño poppers': [790, 1090], Ceviche: [1190, 1590], 'Soup of the day': [590, 850] }],
  ['Salads', food, { 'Caesar salad': [990, 1390], 'Greek salad': [950, 1290] }],
  ['Pizza', food, { Margherita: [1090, 1490], 'Quattro formaggi': [1290, 1690], 'Tarte flambée': [1150, 1550] }],
  ['Pasta', food, { Gnocchi: [1290, 1690], 'Mushroom risotto': [1390, 1850], 'Mac & cheese 🧀': [1090, 1450] }],
  [
    'Noodles & rice',
    food,
    { 'Pho bò': [1290, 1690], 'Pad thai': [1290, 1650], 'Ramen 豚骨': [1390, 1790], Bibimbap: [1350, 1750] },
  ],
  ['Sandwiches', food, { 'Falafel wrap': [890, 1190], 'Club sandwich': [1090, 1450], Smørrebrød: [950, 1350] }],
  ['Burgers', food, { Cheeseburger: [1190, 1590], 'Veggie burger': [1150, 1490] }],
  ['Bakery', sweet, { Sourdough: [550, 790], Croissant: [290, 420], 'Cinnamon roll': [350, 490] }],
  ['Sides', food, { 'Sweet potato fries': [490, 690], Coleslaw: [350, 490], Kimchi: [390, 550] }],
])
export const articles = kindsOf([
  [
    'Apparel',
    textile,
    { 'T-shirt': [2000, 3500], Hoodie: [4500, 7900], 'Rain jacket': [7900, 14_900], Jeans: [5900, 9900] },
  ],
  [
    'Kitchen',
    solid,
    {
      'Coffee mug': [1200, 2200],
      'Chef knife 8"': [5900, 12_900],
      'Cutting board': [2400, 4900],
      'Tea towel': [900, 1800],
    },
  ],
  [
    'Stationery',
    solid,
    { Notebook: [900, 1900], 'Fountain pen': [2900, 6900], 'Desk calendar': [1400, 2400], 'Greeting card': [350, 690] },
  ],
  [
    'Accessories',
    textile,
    { 'Wool scarf': [2900, 5900], Sunglasses: [4900, 11_900], Umbrella: [1900, 3900], Beanie: [1800, 3200] },
  ],
  ['Bags', textile, { Backpack: [5900, 11_900], 'Tote bag': [1500, 2900], Wallet: [2900, 5900] }],
  ['Shoes', textile, { Sneakers: [6900, 12_900], Sandals: [3900, 7900] }],
  [
    'Living',
    solid,
    { Candle: [1400, 2900], 'Desk lamp': [3900, 8900], Cushion: [2400, 4500], 'Photo frame': [1200, 2900] },
  ],
  ['Garden', solid, { 'Plant pot': [1200, 3400], 'Watering can': [1900, 3900], 'Garden gloves': [900, 1900] }],
  ['Games', solid, { 'Board game': [2900, 5900], 'Puzzle (1000 pcs)': [1600, 2900], 'Card game': [900, 1900] }],
  ['Electronics', solid, { Headphones: [4900, 19_900], 'Phone case': [1500, 3500], 'Power bank': [2500, 5900] }],
  ['Sports', solid, { 'Yoga mat': [2900, 6900], 'Water bottle': [1800, 3500], 'Jump rope': [1200, 2400] }],
  [
    'Épicerie',
    grocery,
    { 'Olive oil (500 ml)': [1400, 2600], 'Coffee beans (1 kg)': [2200, 3400], 'Honey (250 g)': [790, 1390] },
  ],
])

/** The names of `count` categories: those of the kinds, and then parts of them. */
export function categoryNames(kinds: readonly Kind[], count: number): string[] {
  const names = [...new Set(kinds.map(({ category }) => category))]
  const parts = ['Favorites', 'New', 'Seasonal', 'Offers']
  return Array.from({ length: count }, (_, index) => {
    const part = Math.floor(index / names.length)
    const name = names[index % names.length]!
    return part === 0 ? name : `${name}: ${parts[part - 1] ?? `Shelf ${part}`}`
  })
}
/** True for the category of a good and its parts. */
export const fitsCategory = (name: string, category: string): boolean =>
  name === category || name.startsWith(`${category}: `)
/** The kind of a good, by its name: of several, the one with the longest name. */
export const kindOf = (name: string): Kind | undefined =>
  [...dishes, ...articles]
    .filter((kind) => name.includes(kind.name))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
