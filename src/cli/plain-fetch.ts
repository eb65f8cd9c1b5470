// fetch over node:http, as much of it as the client uses: where a million records pass through, the built-in one takes
// a fifth more processor time and half as much memory again.
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'

export function createPlainFetch(): typeof fetch {
  const plain = new Agent({ keepAlive: true })
  const secure = new SecureAgent({ keepAlive: true })

  const send = (url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const options = {
        method,
        headers: {
          ...(headers as Record<string, string>),
          ...(body ? { 'content-length': Buffer.byteLength(body as string) } : {}),
        },
        ...(signal ? { signal } : {}),
      }
      const outgoing =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, agent: secure }, resolve)
          : requestHttp(url, { ...options, agent: plain }, resolve)
      outgoing.on('error', reject)
      outgoing.end(body as string | undefined)
    })

  async function read(response: IncomingMessage): Promise<string> {
    response.setEncoding('utf8')
    let text = ''
    for await (const part of response as AsyncIterable<string>) text += part
    return text
  }
  const plainFetch = async (url: string, init: RequestInit = {}) => {
    const response = await send(new URL(url), init)
    const { statusCode: status = 0 } = response
    const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
    return { ok: status >= 200 && status < 300, status, headers, text: () => read(response) }
  }
  return plainFetch as typeof fetch
}
