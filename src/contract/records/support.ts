// The support of a platform and of an account, as callers read it.
import { oneOf } from '../field.ts'
import { anyObject, byName, flag, listOf, number, optional, shape, text, time, whole } from '../schema.ts'

const valueTable = (description: string) => byName(listOf(text()), description)
const rateLimit = listOf(
  shape('PlatformRateLimit', {
    requests: whole(),
    seconds: number(),
    usable: optional(
      whole(
        'The requests that this service makes at most; the rest is for other integrations of the business that share the limit. Absent: all of them',
      ),
    ),
  }),
)
const concurrency = optional(
  whole('Calls of the account that the platform allows at once; absent if it does not limit them'),
)
export const dailyLimit = shape(
  'DailyLimit',
  {
    limit: optional(whole('Absent if the plan of the business is unknown: calls are then not limited')),
    used: whole(),
    remaining: optional(
      whole(
        'What new requests can still use. The last percent, and at least 10 calls, are reserved for writes that have begun',
      ),
    ),
    resetsAt: optional(time('When the oldest calls no longer count. Absent if none are counted')),
  },
  {
    description:
      'Calls of the business in the last 24 hours, from all accounts and instances of this service. Absent if the platform does not limit them',
  },
)
const nativeSupport = shape(
  'NativeSupport',
  {
    origin: text('What `path` of a native call is joined to. In `/platforms`, `{name}` is a setting of the account'),
    settings: listOf(text(), 'Settings whose values `{name}` in `path` stands for'),
  },
  { description: 'For native calls' },
)
const requirement = shape('Requirement', {
  pointer: text(),
  when: text('The whole condition in words; the other members are its parts'),
  without: optional(text('Required if this field or setting is not given')),
  with: optional(text('Required if this field is given')),
  is: optional(valueTable('Required if each field has one of its values')),
  isNot: optional(valueTable('Required unless a field has one of its values')),
  fact: optional(text('Required if this is the case at the platform')),
})
/** The support of an entity type by a platform or an account. */
export const entitySupport = shape('EntitySupport', {
  read: flag(),
  write: flag(),
  update: flag(),
  pageLimit: whole(),
  updatedAfter: oneOf(['platform', 'service', 'none']),
  stampPrecision: optional(
    oneOf(
      ['milliseconds', 'seconds'],
      "The precision of the platform's modification times. With `seconds`, all records of the second of `updatedAfter` are returned. Absent if there is no modification time",
    ),
  ),
  details: optional(
    listOf(
      text(),
      'Fields for which a list makes second calls. With `fields` it makes them only if one of these is selected. Absent if no field needs one',
    ),
  ),
  requires: listOf(text(), 'Fields that a POST needs in any case; `/settings/x` is a setting of the account'),
  requiresWhen: listOf(requirement, 'Fields that a POST needs under a condition'),
  values: valueTable('The only values that the platform takes in a field'),
  longest: byName(whole(), 'The most characters that a field may have'),
  notStored: listOf(text()),
  refused: byName(
    text(),
    'Fields with money that the platform cannot take, and why: a write with one of them is refused',
  ),
  derived: listOf(
    text(),
    'Fields that the platform may hold in another form; a write then returns a warning `derived`',
  ),
  sums: optional(
    shape(
      'OrderSums',
      {
        prices: oneOf(['without_tax', 'with_tax', 'either'], 'Whether prices contain the taxes'),
        tips: oneOf(['in_total', 'beside_total', 'either', 'none'], 'Where the platform has tips'),
        refunds: oneOf(
          ['in_total', 'beside_total', 'apart'],
          'Whether the platform takes refunds off its total; `total` never has them',
        ),
        modifiers: oneOf(
          ['in_price', 'beside_price', 'none'],
          "Whether the platform's price of a line contains the modifiers; `unitPrice` always does",
        ),
      },
      { description: "What the platform's own prices and totals of an order contain. Absent for other entity types" },
    ),
  ),
  search: shape('SearchSupport', {
    by: listOf(
      oneOf(['name', 'email', 'phone', 'sku', 'number'], undefined, 'SearchField'),
      'What `search` finds besides source ids and platform ids. Empty: the platform cannot search',
    ),
    newestFirst: flag('Whether the newest records come first'),
  }),
  customPlaces: byName(
    text(),
    'Native fields that custom fields can write: pointer into the native record -> type. In `[key=*]`, `*` stands for any name. Custom fields with another pointer are read-only',
  ),
  custom: optional(
    anyObject(
      "Of an account: the JSON Schema of `custom` in this entity's records, as the default mappings declare it. Absent if they declare no custom fields",
    ),
  ),
})
export const platformSupport = shape('PlatformSupport', {
  platform: text(),
  name: text(),
  docs: text(),
  apiVersion: shape('ApiVersion', {
    name: text("The version of the platform's API that the service uses"),
    reviewBy: text('Upgrade the service by this day: the platform may end the version later', { format: 'date' }),
  }),
  verticals: listOf(text()),
  rateLimit,
  concurrency,
  dailyQuota: optional(
    shape(
      'DailyQuota',
      { calls: optional(whole()), plans: optional(byName(whole())) },
      {
        description:
          'Calls of a business that the platform allows in 24 hours; absent if it does not limit them. Either the same number for all businesses, or one for each plan',
      },
    ),
  ),
  native: nativeSupport,
  entities: byName(byName(entitySupport)),
})
export const accountSupport = shape('AccountSupport', {
  accountId: text(),
  platform: text(),
  name: text("The platform's name"),
  vertical: text(),
  state: text(),
  test: optional(flag('`true` in a test environment of the platform; absent for a real business')),
  rateLimit,
  concurrency,
  dailyLimit: optional(dailyLimit),
  native: nativeSupport,
  entities: byName(entitySupport),
})
