// Words from which seeded records are built. They are deliberately difficult: accents, apostrophes, other scripts,
// emoji, long names.
/** Given and family names that go together. */
export const origins: readonly { given: readonly string[]; family: readonly string[] }[] = [
  { given: ['Ada', 'Grace', 'Noah', "O'Shea", 'Quentin'], family: ['Hughes', 'Smith', "O'Neill", 'Brontë', 'Lee'] },
  { given: ['Emily', 'James', 'Olivia', 'Henry', 'Zoë'], family: ['Baker', 'Carter', 'Saint-Clair', 'Turner', 'Wood'] },
  { given: ['Björn', 'Søren', 'Astrid', 'Maja'], family: ['Andersson', 'Jørgensen', 'Lindqvist', 'Ødegård'] },
  { given: ['Chloé', 'Élodie', 'Jean-Luc', 'Renée'], family: ['Saint-Exupéry', 'Lefèvre', "D'Aubigné", 'Moreau'] },
  {
    given: ['José', 'Tomás', 'Violeta', 'Xóchitl', 'Íris'],
    family: ['Fernández', 'García Márquez', 'Ibáñez', 'Núñez'],
  },
  { given: ['Luca', 'Giulia', 'Nicolò'], family: ["D'Angelo", 'Rossi', 'De Luca'] },
  { given: ['Jürgen', 'Lena', 'Anke'], family: ['Müller', 'Weiß', 'van der Berg'] },
  { given: ['Katarzyna', 'Łukasz', 'Zofia'], family: ['Kowalski', 'Wiśniewski', 'Dąbrowski'] },
  { given: ['Dmitri', 'Анна', 'Vesna'], family: ['Ivanova', 'Petrović', 'Иванова'] },
  { given: ['Fatima', 'Yusuf', 'Emre'], family: ['Yılmaz', 'Haddad', 'Öztürk'] },
  { given: ['Priya', 'Uma', 'Arjun'], family: ['Sharma', 'Patel', 'Iyer'] },
  { given: ['Ngozi', 'Chidi', 'Amara'], family: ['Okafor', 'Adeyemi', 'Balogun'] },
  { given: ['Mei', 'Wei', 'Đặng', 'Linh'], family: ['Zhang', 'Nguyễn', 'Ng', 'Chen'] },
  { given: ['Hiro', '花子', 'Yuki'], family: ['山田', 'Tanaka', 'Satō'] },
]
export const companyWords = [
  'Harbor',
  'Blue Door',
  'Maple',
  'Northside',
  'Sunrise',
  'Old Mill',
  'Café Zoë',
  'Twin Rivers',
  'Granite',
  'Lighthouse',
  'Über',
  'Peach & Plum',
]
export const companyForms = ['LLC', 'Inc.', 'GmbH', 'Ltd', '& Sons', 'S.A.', 'Co-op', 'Catering', 'Trading', 'Studio']
export const jobs = ['Server', 'Cook', 'Bartender', 'Host', 'Manager', 'Barista', 'Dishwasher', 'Cashier']
export const notes = [
  'No onions, please',
  'Allergic to nuts ⚠️',
  'VIP',
  'Prefers window seat',
  'Pays by invoice',
  'Line one\nline two',
  'Says "hello" a lot',
  'Très régulier',
]
export interface Region {
  state: string
  city: string
  postalCode: string // # is a digit, @ is a letter
  dialling: string // after the country code, x is a digit
}
/** Phone numbers are from ranges reserved for fiction, where the country has one. */
export const countries: Readonly<
  Record<string, { countryCode: string; streets: readonly string[]; regions: readonly Region[] }>
> = {
  US: {
    countryCode: '1',
    streets: ['Main St', 'Market St', 'Elm Avenue', 'Harbor Rd'],
    regions: [
      { state: 'CA', city: 'San Francisco', postalCode: '941##', dialling: '41555501xx' },
      { state: 'NY', city: 'New York', postalCode: '100##', dialling: '21255501xx' },
      { state: 'TX', city: 'Austin', postalCode: '787##', dialling: '51255501xx' },
    ],
  },
  CA: {
    countryCode: '1',
    streets: ['King St W', 'Rue Sainte-Catherine', 'Bloor St', "Côte d'Abraham"],
    regions: [
      { state: 'QC', city: 'Montréal', postalCode: 'H2@ #@#', dialling: '51455501xx' },
      { state: 'ON', city: 'Toronto', postalCode: 'M5@ #@#', dialling: '41655501xx' },
    ],
  },
  GB: {
    countryCode: '44',
    streets: ['High Street', 'Station Road', "King's Lane"],
    regions: [{ state: 'England', city: 'London', postalCode: 'SW1@ #@@', dialling: '207946xxxx' }],
  },
  DE: {
    countryCode: '49',
    streets: ['Königsallee', 'Lindenstraße', 'Am Markt'],
    regions: [{ state: 'BY', city: 'München', postalCode: '80###', dialling: '8923125xxx' }],
  },
  FR: {
    countryCode: '33',
    streets: ['Rue de la Paix', "Avenue de l'Opéra", 'Quai des Célestins'],
    regions: [{ state: 'IDF', city: 'Paris', postalCode: '750##', dialling: '19900xxxx' }],
  },
  NZ: {
    countryCode: '64',
    streets: ['Queen Street', 'Cuba Street', 'Māhoe Road'],
    regions: [
      { state: 'Auckland', city: 'Auckland', postalCode: '10##', dialling: '955501xx' },
      { state: 'Wellington', city: 'Wellington', postalCode: '60##', dialling: '455501xx' },
    ],
  },
  TH: {
    countryCode: '66',
    streets: ['Sukhumvit Rd', 'ถนนสีลม', 'Charoen Krung Rd'],
    regions: [
      { state: 'Bangkok', city: 'Bangkok', postalCode: '10###', dialling: '255501xx' },
      { state: 'Chiang Mai', city: 'Chiang Mai', postalCode: '50###', dialling: '5355501x' },
    ],
  },
}
