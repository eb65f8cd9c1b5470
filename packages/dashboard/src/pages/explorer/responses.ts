// Short names for the answers of the explorer's operations.
import type { ManageBody } from '../../../../client/src/manage-call.ts'
import type { Answer } from '../../manage.ts'

export type { FieldSchema, NativeRequest } from '../../refined.ts'
export type Explorable = Answer<'exploreAccount'>
export type { EntitySupport as Support } from '../../../../client/src/generated/records.ts'
export type Described = Answer<'describeEntity'>
export type ExploredRecord = Answer<'exploreRecord'>
export type ExploredPage = Answer<'exploreRecords'>
export type Explored = ExploredPage['data'][number]
export type RequestInfo = Pick<ExploredPage, 'requestId' | 'timing' | 'request'>
export type Warning = Explored['warnings'][number]
export type Provenance = Answer<'traceFields'>
export type Origin = Provenance['fields'][number]
export type Verdict = Answer<'validateRecord'>
export type Plan = Answer<'planRecord'>
export type Written = Answer<'writeRecord'>
export type NativeCallBody = ManageBody<'callPlatform'>
export type NativeResponse = Answer<'callPlatform'>
