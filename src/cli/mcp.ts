// unirec mcp: the tools of POST /mcp for clients that start a program. The SDK speaks the protocol on stdin and stdout;
// each list and call is passed on to the service, which decides everything.

import { type Command, CommandFailure, exitCodes } from './command.ts'
import { createPlainFetch } from './plain-fetch.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the tools for AI agents (Model Context Protocol) on stdin and stdout',
  arguments: [],
  flags: [],
  examples: ['UNIREC_URL=https://records.example.com UNIREC_API_KEY=urk_… unirec mcp'],
  async run({ connect, signal, output }) {
    const { url, apiKey } = await connect()
    if (apiKey === undefined)
      throw new CommandFailure(exitCodes.usage, 'unirec mcp needs an API key: set UNIREC_API_KEY or --api-key-file')
    const { serveTools } = await import('./mcp-stdio.ts')
    await serveTools({ url: `${url}/mcp`, apiKey, fetch: createPlainFetch(), signal, note: output.note })
    return exitCodes.ok
  },
}
