// The official client, in either revision, over HTTP or as a client that starts `unirec mcp`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

const clientOf = (revision: Revision) =>
  new Client(
    { name: 'witness', version: '1.2.3' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  )

export async function connectHttp(url: string, key: string, revision: Revision, fetch?: typeof globalThis.fetch) {
  const client = clientOf(revision)
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    ...(fetch ? { fetch } : {}),
  })
  await client.connect(transport)
  return client
}

const program = join(import.meta.dirname, '../../dist/cli/main.mjs')
const environmentOf = (url: string, key: string) => ({
  UNIREC_URL: url,
  UNIREC_API_KEY: key,
  PATH: process.env.PATH ?? '',
})

/** What `unirec mcp` prints first on stdout and on stderr, after this line on stdin. */
export async function firstLines(url: string, key: string, line: string): Promise<string[]> {
  const child = spawn(process.execPath, [program, 'mcp'], { env: environmentOf(url, key) })
  try {
    child.stdin.write(`${line}\n`)
    const ended = once(child, 'close').then(([code]) => Promise.reject(new Error(`unirec mcp ended with ${code}`)))
    const printed = Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')])
    return (await Promise.race([printed, ended])).map(([chunk]) => String(chunk))
  } finally {
    child.kill()
  }
}

export async function connectStdio(url: string, key: string, revision: Revision) {
  const client = clientOf(revision)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: environmentOf(url, key),
  })
  await client.connect(transport)
  return client
}

/** The result of a tool, or its error. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
export async function callTool(client: Client, name: string, input: object): Promise<any> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...input } })
  if (!isError) return structuredContent
  return { error: JSON.parse((content as { text: string }[])[0]?.text ?? '') }
}
