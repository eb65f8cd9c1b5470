// Mappings of accounts, platforms and workspaces, their defaults, and the keys that select them.

import { customTypes } from '../custom-types.ts'
import { entityTypes } from '../entity.ts'
import { oneOf } from '../field.ts'
import { anything, byName, flag, named, optional, text, time, whole } from '../schema.ts'

export const mappingDirection = oneOf(['read', 'write'], 'Direction of the mapping')
export const mappedEntityType = oneOf(entityTypes, 'Unified entity type')
const mappingScopes = oneOf(['account', 'platform', 'workspace'], 'Owner of the mapping')
export const rule = named('MappingRule', {
  from: optional(
    text("JSON pointer into the source record: the native record for reads, the caller's record for writes"),
  ),
  value: optional(anything('A constant')),
  default: optional(anything('Used if there is no value')),
  lookup: optional(byName(anything(), 'Source value -> unified value')),
  type: optional(oneOf(customTypes, 'Type of a custom field: of a rule for `/custom/<name>` only')),
  to: optional(text('Of a custom field in a write mapping: where it is in the native record')),
})
export const mappingRules = byName(rule, 'Unified pointer -> rule. `/custom/<name>` declares a custom field')
export const mappingName = text({ minLength: 1, maxLength: 200 })
export const mapping = named('Mapping', {
  id: text(),
  scope: mappingScopes,
  accountId: optional(text('Of a mapping of one account')),
  platform: optional(text('Of a mapping for all accounts of a platform')),
  entityType: mappedEntityType,
  direction: mappingDirection,
  name: text(),
  version: whole(),
  rules: mappingRules,
  createdAt: time(),
})
export const mappingKey = named('MappingKey', {
  key: text(),
  accountId: text(),
  direction: mappingDirection,
  isDefault: flag(),
  entityType: optional(mappedEntityType),
  mappingId: optional(text()),
  createdAt: time(),
})
export const mappingDefault = named('MappingDefault', {
  entityType: mappedEntityType,
  direction: mappingDirection,
  setBy: oneOf(['account', 'platform', 'workspace', 'none'], 'Where the default is set; `none`: nowhere'),
  platform: optional(text('If a platform sets it')),
  mappingId: optional(text('Absent: the built-in mapping')),
  name: optional(text('Name of the mapping')),
  version: optional(whole('Newest version of the mapping')),
  scope: optional(mappingScopes),
})
export const ruleEffect = named('RuleEffect', {
  pointer: text(),
  effect: oneOf(['set', 'changed', 'removed', 'none'], 'Effect of the rule on its field'),
  before: optional(anything()),
  after: optional(anything()),
})
