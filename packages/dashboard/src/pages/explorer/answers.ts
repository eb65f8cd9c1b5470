// What the explorer's routes answer.
import type { Split } from '../../components/time-split.tsx'
import type { EntityType } from '../../types.ts'

export interface Support {
  read: boolean
  write: boolean
  update: boolean
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  requires: string[]
  notStored: string[]
}
export interface NamedKey {
  key: string
  direction: 'read' | 'write'
  entityType: EntityType
  mappingId: string
  name: string
  version: number
}
export interface Explorable {
  accountId: string
  name: string
  platform: string
  platformName: string
  vertical: string
  state: string
  stateReason?: string
  entities: Partial<Record<EntityType, Support>>
  mappingKeys: NamedKey[]
}
export interface FieldSchema {
  type?: string
  description?: string
  format?: string
  enum?: string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  required?: string[]
}
export interface Described {
  entityType: EntityType
  title: string
  support: Support
  schema: FieldSchema
  example: Record<string, unknown>
  references: Record<string, string>
  gettable: boolean
}
export interface Warning {
  code: string
  message: string
  pointer?: string
  id?: string
}
export interface Explored {
  id: string
  version?: string
  record?: Record<string, unknown>
  native: unknown
  warnings: Warning[]
}
export interface Asked {
  requestId: string
  timing: Split & { serviceMs: number; nativeCalls: number }
  curl: string
}
export interface ExploredPage extends Asked {
  data: Explored[]
  cursor?: string
}
export type ExploredRecord = Explored & Asked

export interface Source {
  pointer: string
  decides?: true
  absent?: true
}
export interface Origin {
  pointer: string
  kind: string
  words: string
  sources: Source[]
  settings: string[]
}
export interface Provenance {
  fields: Origin[]
  lacking: { pointer: string; sources: string[]; words: string }[]
  complete: boolean
}
export interface Finding {
  pointer: string
  message: string
}
export interface Reference {
  pointer: string
  sourceId: string
  nativeId: string
}
export interface Verdict {
  valid: boolean
  errors: Finding[]
  warnings: Warning[]
  references: Reference[]
}
export interface NativeRequest {
  method: string
  path: string
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}
export interface Plan extends Asked {
  steps: { name: string; request: NativeRequest; recovery: string }[]
  complete: boolean
  references: Reference[]
  missing: Finding[]
  warnings: Warning[]
  expectedWaitMs: number
}
export interface Written extends Asked {
  data: Record<string, unknown>
  reference: { externalId: string; id: string; replayed: boolean }
  warnings: Warning[]
}
