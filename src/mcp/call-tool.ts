// One call of a tool: permission, arguments, run, audit. Errors are results, so that an agent can read and correct them.
import { Problem } from '../contract/errors.ts'
import { strikeHidden } from '../contract/hidden-fields.ts'
import { denialOf } from '../contract/scopes.ts'
import type { Credential } from '../store/store.ts'
import { readTools } from './read-tools.ts'
import { type Calling, listedTool, type Services, type Subject, type Tool, type ToolCall } from './tool.ts'
import { problemOfTool, toolError } from './tool-error.ts'
import { writeTools } from './write-tools.ts'

const tools: readonly Tool[] = [...readTools, ...writeTools]
const byName = new Map(tools.map((tool) => [tool.name, tool]))

/** Those that the credential may call. */
export const listTools = (credential: Credential) =>
  tools.filter(({ scope }) => denialOf(credential, { scope }) === undefined).map(listedTool)

/** What became of a call, for the activity. */
export interface Called {
  tool: Tool
  subject: Subject
  input: unknown
  problem?: Problem
}
export type ToolResult = { content: { type: 'text'; text: string }[]; isError?: boolean; structuredContent?: object }

export function createCallTool(services: Services, onError: (problem: Problem) => void) {
  const { audit } = services.store
  return {
    find: (name: string): Tool | undefined => byName.get(name),
    async call(tool: Tool, input: unknown, calling: Calling): Promise<{ result: ToolResult; called: Called }> {
      const { credential, requestId } = calling
      const subject: Subject = {}
      const recorded = (outcome: string) =>
        audit.append({
          scope: credential.workspaceId,
          actor: credential.id,
          address: calling.address,
          action: `mcp.${tool.name}`,
          object: objectOf(subject, input, calling.client),
          outcome,
          requestId,
        })
      try {
        services.permissions.check(credential, { scope: tool.scope })
        const errors = tool.validator.violations(input)
        if (errors.length > 0) throw new Problem('validation_failed', 'The arguments are not valid.', { errors })
        // A write that cannot be recorded is not made.
        if (tool.kind !== 'read') await recorded('started')
        const call: ToolCall = {
          ...services,
          credential,
          subject,
          signal: calling.signal,
          contextOf: calling.contextOf,
        }
        const output = JSON.stringify(strike(await tool.run(call, input), credential))
        await recorded('ok')
        // Fields without a value are dropped, as in the text.
        const structuredContent = JSON.parse(output) as object
        return {
          result: { content: [{ type: 'text', text: output }], structuredContent },
          called: { tool, subject, input },
        }
      } catch (error) {
        const problem = problemOfTool(error)
        if (problem.status >= 500) onError(problem)
        await recorded(problem.code).catch((lost: unknown) => onError(problemOfTool(lost)))
        return { result: toolError(problem, requestId, credential), called: { tool, subject, input, problem } }
      }
    },
  }
}

/** The one place where results leave the tools. */
const strike = (result: unknown, { hiddenFields }: Credential): unknown =>
  hiddenFields ? strikeHidden(JSON.parse(JSON.stringify(result)), hiddenFields) : result

/** Ids only: other values may be personal. */
function objectOf({ account, entityType, id, externalId }: Subject, input: unknown, client: string) {
  const given = (input ?? {}) as { accountId?: unknown; entityType?: unknown; externalId?: unknown; id?: unknown }
  const all = {
    client,
    accountId: account?.id ?? given.accountId,
    entityType: entityType ?? given.entityType,
    externalId: externalId ?? given.externalId,
    id: id ?? given.id,
  }
  const texts = Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name, value.slice(0, 512)]))
}
