// The public surface of @unified-records/client.
export { createClient } from './client.ts'
export * from './connect-result.ts'
export { type ErrorCode, isRetryable, isUnifiedError, needsReconnect, UnifiedError } from './error.ts'
export type * from './generated/records.ts'
export type * from './manage.ts'
export type * from './types.ts'
export * from './webhooks.ts'
