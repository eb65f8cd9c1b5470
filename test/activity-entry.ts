// A read as the activity stores it, for tests.
import { createRequestId } from '../src/store/request-id.ts'
import type { RecordedActivity } from '../src/store/store.ts'

export const activityEntry = (more: Partial<RecordedActivity> = {}): RecordedActivity => ({
  workspaceId: 'w',
  requestId: createRequestId(),
  accountId: 'a',
  platform: 'square',
  credentialId: 'k',
  method: 'GET',
  entityType: 'order',
  operation: 'list',
  status: 200,
  totalMs: 10,
  waitMs: 2,
  platformMs: 5,
  nativeCalls: 1,
  throttled: 0,
  used: 0.5,
  trace: JSON.stringify({ calls: [] }),
  ...more,
})
