// Words from which seeded records are built. Chosen to hurt: accents, apostrophes, other scripts, emoji, long names.
export const givenNames = [
  'Ada',
  'Björn',
  'Chloé',
  'Dmitri',
  'Élodie',
  'Fatima',
  'Grace',
  'Hiro',
  'Íris',
  'José',
  'Katarzyna',
  'Luca',
  'Mei',
  'Noah',
  "O'Shea",
  'Priya',
  'Quentin',
  'Renée',
  'Søren',
  'Tomás',
  'Uma',
  'Violeta',
  'Wei',
  'Xóchitl',
  'Yusuf',
  'Zoë',
  '花子',
  'Анна',
  'Đặng',
  'Jean-Luc',
]
export const familyNames = [
  'Andersson',
  'Brontë',
  "D'Angelo",
  'Fernández',
  'García Márquez',
  'Hughes',
  'Ivanova',
  'Jørgensen',
  'Kowalski',
  'Łukasz',
  'Müller',
  'Nguyễn',
  "O'Neill",
  'Okafor',
  'Petrović',
  'Smith',
  'van der Berg',
  'Weiß',
  'Yılmaz',
  'Zhang',
  '山田',
  'Saint-Exupéry',
  'Lee',
  'Ng',
]
export const companyWords = ['Harbour', 'Blue Door', 'Maple', 'Northside', 'Sunrise', 'Old Mill', 'Café Zoë', 'Twin Rivers', 'Granite', 'Lighthouse', 'Über', 'Peach & Plum']
export const companyForms = ['LLC', 'Inc.', 'GmbH', 'Ltd', '& Sons', 'S.A.', 'Co-op', 'Catering', 'Trading', 'Studio']
export const dishes = [
  'Margherita',
  'Crème brûlée',
  'Jalapeño poppers',
  'Pho bò',
  'Bibimbap',
  'Caesar salad',
  'Fish & chips',
  'Smørrebrød',
  'Tarte flambée',
  'Wiener Schnitzel',
  'Pad thai',
  'Ramen 豚骨',
  'Mushroom risotto',
  'Falafel wrap',
  'Chef\'s "special"',
  'Iced tea',
  'Flat white',
  'Lemonade',
  'Sourdough',
  'Pancakes',
  'Gnocchi',
  'Ceviche',
  'Tiramisù',
  'Mac & cheese 🧀',
]
export const dishStyles = ['House', 'Smoked', 'Spicy', 'Vegan', 'Kids', 'Large', 'Grilled', "Grandma's", 'Seasonal', 'Crispy', 'Gluten-free', 'Double']
export const articles = [
  'T-shirt',
  'Notebook',
  'Candle',
  'Coffee mug',
  'Backpack',
  'Desk lamp',
  'Wool scarf',
  'Water bottle',
  'Sneakers',
  'Umbrella',
  'Sunglasses',
  'Headphones',
  'Phone case',
  'Puzzle (1000 pcs)',
  'Chef knife 8"',
  'Yoga mat',
  'Board game',
  'Plant pot',
  'Tote bag',
  'Fountain pen',
]
export const articleStyles = ['Classic', 'Organic', 'Recycled', 'Matte black', 'Bordeaux', 'Navy', 'Limited edition', 'Mini', 'XL', 'Handmade', 'Bleu de Gênes', 'Summer']
export const sizes = ['Small', 'Medium', 'Large', 'Extra large', 'Family', 'Half portion', 'Blue', 'Red']
export const categories = [
  'Starters',
  'Mains',
  'Desserts',
  'Drinks',
  'Sides',
  'Breakfast',
  'Vegan',
  'Kids',
  'Specials',
  'Wine',
  'Kitchen',
  'Garden',
  'Apparel',
  'Stationery',
  'Accessories',
  'Spielwaren',
  'Épicerie',
  'Sale',
]
export const jobs = ['Server', 'Cook', 'Bartender', 'Host', 'Manager', 'Barista', 'Dishwasher', 'Cashier']
export const notes = ['No onions, please', 'Allergic to nuts ⚠️', 'VIP', 'Prefers window seat', 'Pays by invoice', 'Line one\nline two', 'Says "hello" a lot', 'Très régulier']
export const streets = ['Main St', 'Market St', 'Elm Avenue', 'Rue de la Paix', 'Königsallee', 'King St W', 'Calle Mayor', 'Harbour Rd']

export interface Region {
  country: string
  state: string
  city: string
  postalCode: string // # stands for a digit, @ for a letter
  dialling: string // after the country code, x is a digit; from ranges kept free for fiction
  countryCode: string
}
export const regions: readonly Region[] = [
  { country: 'US', state: 'CA', city: 'San Francisco', postalCode: '941##', countryCode: '1', dialling: '41555501xx' },
  { country: 'US', state: 'NY', city: 'New York', postalCode: '100##', countryCode: '1', dialling: '21255501xx' },
  { country: 'US', state: 'TX', city: 'Austin', postalCode: '787##', countryCode: '1', dialling: '51255501xx' },
  { country: 'CA', state: 'QC', city: 'Montréal', postalCode: 'H2@ #@#', countryCode: '1', dialling: '51455501xx' },
  { country: 'CA', state: 'ON', city: 'Toronto', postalCode: 'M5@ #@#', countryCode: '1', dialling: '41655501xx' },
  { country: 'GB', state: 'England', city: 'London', postalCode: 'SW1@ #@@', countryCode: '44', dialling: '207946xxxx' },
  { country: 'DE', state: 'BY', city: 'München', postalCode: '80###', countryCode: '49', dialling: '8923125xxx' },
  { country: 'FR', state: 'IDF', city: 'Paris', postalCode: '750##', countryCode: '33', dialling: '19900xxxx' },
]
