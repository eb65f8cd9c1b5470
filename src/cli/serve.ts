// unirec serve: what `npm start` does.
import { enableCompileCache } from 'node:module'
import { type Command, CommandFailure, exitCodes } from './command.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the service, by default with the sandbox',
  arguments: [],
  flags: [
    {
      name: 'port',
      type: 'string',
      value: 'PORT',
      description: 'Port to listen on; 0 picks a free port (PORT, default 8080)',
    },
    { name: 'host', type: 'string', value: 'HOST', description: 'Address to listen on (HOST, default 127.0.0.1)' },
    {
      name: 'sandbox',
      type: 'string',
      choices: ['on', 'off'],
      description: 'off in production: no simulators and no sandbox workspace (SANDBOX)',
    },
  ],
  examples: [
    'unirec serve',
    'DATABASE_URL=postgres://… ENCRYPTION_KEY=… unirec serve --sandbox off --port 80 --host 0.0.0.0',
  ],
  async run({ flags, environment, signal }) {
    const given = { PORT: flags.port, HOST: flags.host, SANDBOX: flags.sandbox, DATA_DIR: flags['data-dir'] }
    for (const [name, value] of Object.entries(given)) if (typeof value === 'string') environment[name] = value
    enableCompileCache()
    const [{ readConfig }, { start }] = await Promise.all([import('../config.ts'), import('../start.ts')])
    if (signal.aborted) return exitCodes.interrupted
    try {
      await start(readConfig(environment))
    } catch (error) {
      throw new CommandFailure(exitCodes.failed, `cannot start: ${(error as Error).message}`)
    }
    // From here on the service ends the process itself, when its work in flight is done.
    await new Promise(() => {})
    return exitCodes.ok
  },
}
