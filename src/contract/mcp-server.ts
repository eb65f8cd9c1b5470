// The service describes itself to agents, on HTTP and on stdio.
import { version } from '../base/version.ts'

export const mcpServerInfo = { name: 'unified-records', title: 'Unified Records', version }
export const mcpInstructions =
  'Records of restaurants, shops and accounting systems in one schema. Call list_accounts first, then describe_entity before you write. Preview a write that a person should approve. To retry a create, send the same externalId.'
