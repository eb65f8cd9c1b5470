// Which client calls, such as an editor or an assistant: its name and version. In 2026-07-28 every request says so. In
// 2025-11-25 only the first one does; its answer has a session id that contains both, so that no instance stores
// anything. It identifies the client for the records of operators and authorizes nothing.
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { Vault } from '../store/vault.ts'

interface Message {
  method?: unknown
  params?: { clientInfo?: unknown; _meta?: Record<string, unknown> }
}
const purpose = 'mcp session'
const longest = 100

function nameOf(info: unknown): string | undefined {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown }
  if (typeof name !== 'string') return undefined
  return clean(typeof version === 'string' ? `${name} ${version}` : name)
}
const clean = (text: string) => text.replaceAll(/\p{C}/gu, ' ').trim().slice(0, longest) || undefined

export function createClientIdentity(vault: Vault) {
  return {
    /** The session id for the answer to the first request of 2025-11-25. */
    sessionOf(body: unknown): string | undefined {
      const { method, params } = (body ?? {}) as Message
      const client = method === 'initialize' ? nameOf(params?.clientInfo) : undefined
      return client && vault.seal(client, purpose)
    },
    clientOf(body: unknown, headers: Record<string, string | string[] | undefined>): string {
      const { params } = (body ?? {}) as Message
      const session = headers['mcp-session-id']
      return (
        nameOf(params?._meta?.[CLIENT_INFO_META_KEY]) ??
        nameOf(params?.clientInfo) ??
        (typeof session === 'string' ? opened(session) : undefined) ??
        clean(String(headers['user-agent'] ?? '')) ??
        'unknown'
      )
    },
  }
  function opened(session: string): string | undefined {
    try {
      return vault.open(session, purpose)
    } catch {
      return undefined
    }
  }
}
