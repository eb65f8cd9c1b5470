// unirec open: the dashboard in the browser of this machine.
import { spawn } from 'node:child_process'
import { type Command, CommandFailure, exitCodes } from './command.ts'
import { managed } from './connect.ts'

const pages = [
  'accounts',
  'activity',
  'writes',
  'explorer',
  'mappings',
  'credentials',
  'webhooks',
  'people',
  'audit',
  'settings',
  'platforms',
  'errors',
] as const
/** A browser that is still running by then was opened. */
const openedMs = 2_000

export const openCommand: Command = {
  name: 'open',
  summary: 'Open the dashboard in a browser, and print its URL',
  arguments: [{ name: 'page', description: 'Page', choices: pages, optional: true }],
  flags: [{ name: 'no-browser', type: 'boolean', description: 'Only print the URL' }],
  examples: ['unirec open', 'unirec open activity'],
  async run({ arguments: { page }, flags, environment, output, connect }) {
    const connection = await connect()
    const start = `${connection.manageUrl}/dashboard`
    const url = page === undefined ? start : `${start}/w/${encodeURIComponent(await workspaceId())}/${page}`
    async function workspaceId(): Promise<string> {
      return (await managed(connection).call('getWorkspace')).id
    }
    if (!/^https?:$/.test(new URL(url).protocol))
      throw new CommandFailure(exitCodes.usage, `${connection.manageUrl} is not an http or https URL`)
    output.line(output.json ? JSON.stringify({ url }) : url)
    if (flags['no-browser']) return exitCodes.ok
    const program = browserOf(environment)
    if (!program || !(await started([...program, url], environment)))
      output.note('no browser could be opened here: open the URL in one yourself')
    return exitCodes.ok
  },
}

/** Of a terminal without a screen, none. */
function browserOf(environment: NodeJS.ProcessEnv): string[] | undefined {
  if (environment.BROWSER) return [environment.BROWSER.split(':')[0] as string]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

function started([program = '', ...words]: string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { detached: true, stdio: 'ignore', env: { ...process.env, ...environment } })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.unref()
    setTimeout(() => resolve(true), openedMs).unref()
  })
}
