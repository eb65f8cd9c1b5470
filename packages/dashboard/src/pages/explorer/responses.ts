// Response types of the explorer's endpoints. The API description leaves records and schemas open; here they are
// objects.
import type {
  CallPlatformAnswer,
  CallPlatformBody,
  DescribeEntityAnswer,
  ExploreAccountAnswer,
  ExploreRecordAnswer,
  ExploreRecordsAnswer,
  PlanRecordAnswer,
  TraceFieldsAnswer,
  ValidateRecordAnswer,
  WriteRecordAnswer,
} from '../../../../client/src/generated/manage.ts'
import type { EntitySupport } from '../../../../client/src/generated/records.ts'
import type { EntityType } from '../../types.ts'

export type Support = EntitySupport
type Refine<T, Fields> = Omit<T, keyof Fields> & Fields
type JsonObject = Record<string, unknown>

export type NamedKey = Refine<
  ExploreAccountAnswer['mappingKeys'][number],
  { direction: 'read' | 'write'; entityType: EntityType }
>
export type Explorable = Refine<
  ExploreAccountAnswer,
  { entities: Partial<Record<EntityType, Support>>; mappingKeys: NamedKey[] }
>
export interface FieldSchema {
  type?: string
  description?: string
  format?: string
  enum?: string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  required?: string[]
}
export type Described = Refine<
  DescribeEntityAnswer,
  { entityType: EntityType; support: Support; schema: FieldSchema; example: JsonObject }
>
export type ExploredRecord = Refine<ExploreRecordAnswer, { record?: JsonObject }>
export type Explored = Refine<ExploreRecordsAnswer['data'][number], { record?: JsonObject }>
export type ExploredPage = Refine<ExploreRecordsAnswer, { data: Explored[] }>
export type RequestInfo = Pick<ExploreRecordsAnswer, 'requestId' | 'timing' | 'request'>
export type Warning = Explored['warnings'][number]

export type Provenance = TraceFieldsAnswer
export type Origin = Provenance['fields'][number]

export type Verdict = ValidateRecordAnswer
export interface NativeRequest {
  method: string
  path: string
  query?: JsonObject
  headers?: Record<string, string>
  body?: unknown
}
export type Plan = Refine<
  PlanRecordAnswer,
  { steps: Refine<PlanRecordAnswer['steps'][number], { request: NativeRequest }>[] }
>
export type Written = Refine<WriteRecordAnswer, { data: JsonObject }>
export type NativeCallBody = CallPlatformBody
export type NativeResponse = CallPlatformAnswer
