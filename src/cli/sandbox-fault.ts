// unirec sandbox fault …: makes the simulators fail on request, through the sandbox's control endpoint.
import { type Fault, faultKinds } from '../sandbox/simulator.ts'
import { type Argument, type Command, CommandFailure, exitCodes, type Flag, type Invocation } from './command.ts'
import { reasonOf } from './manage.ts'
import { dataDirOf, readSandboxFile } from './sandbox-file.ts'

const sandboxUrl: Flag = {
  name: 'sandbox-url',
  type: 'string',
  value: 'URL',
  description: 'URL of the sandbox (SANDBOX_URL; by default from sandbox.json)',
}
const platform: Argument = { name: 'platform', description: 'Such as square, shopify, xero' }
const numbers = ['times', 'skip', 'probability', 'delay-ms'] as const

async function control<T>(
  { flags, environment, signal }: Invocation,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const configured = typeof flags['sandbox-url'] === 'string' ? flags['sandbox-url'] : environment.SANDBOX_URL
  const url = (configured || readSandboxFile(dataDirOf({ flags, environment }))?.sandboxUrl)?.replace(/\/+$/, '')
  if (!url)
    throw new CommandFailure(
      exitCodes.usage,
      `no sandbox found: there is no sandbox.json in ${dataDirOf({ flags, environment })}: set --sandbox-url or --data-dir`,
    )
  const response = await fetch(`${url}/_sandbox${path}`, {
    method,
    signal,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  }).catch((error: unknown) => {
    throw signal.aborted
      ? error
      : new CommandFailure(
          exitCodes.unreachable,
          `the sandbox at ${url} cannot be reached: ${reasonOf(error)}. Check that the service is running with its sandbox, and that --sandbox-url is correct`,
        )
  })
  const answer = (await response.json()) as T & { error?: string }
  if (!response.ok)
    throw new CommandFailure(exitCodes.usage, answer.error ?? `the sandbox responded with ${response.status}`)
  return answer
}

const describe = ({ kind, method, path, times, skip, repeats, probability, delayMs }: Fault): string =>
  [
    kind,
    ...(method ? [`on ${method.toUpperCase()}`] : []),
    ...(path ? [`paths with ${path}`] : []),
    ...(times === undefined ? [] : [`${times} times`]),
    ...(skip ? [`after ${skip} calls`] : []),
    ...(repeats ? ['at every repetition of one call'] : []),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
    ...(delayMs === undefined ? [] : [`${delayMs} ms`]),
  ].join(' ')

function show({ output }: Invocation, name: string, faults: readonly Fault[]): void {
  if (output.json) output.line(JSON.stringify({ platform: name, faults }))
  else for (const text of faults.length > 0 ? faults.map(describe) : ['no faults']) output.line(`${name}: ${text}`)
}
const platformsOf = async (invocation: Invocation) =>
  invocation.arguments.platform
    ? [invocation.arguments.platform]
    : (await control<{ platforms: { platform: string }[] }>(invocation, 'GET', '')).platforms.map((one) => one.platform)

export const faultList: Command = {
  name: 'sandbox fault list',
  summary: 'List pending faults',
  arguments: [{ ...platform, optional: true }],
  flags: [sandboxUrl],
  async run(invocation) {
    for (const name of await platformsOf(invocation))
      show(invocation, name, (await control<{ faults: Fault[] }>(invocation, 'GET', `/${name}/faults`)).faults)
    return exitCodes.ok
  },
}

export const faultSet: Command = {
  name: 'sandbox fault set',
  summary: 'Make the next calls to a simulated platform fail',
  arguments: [
    platform,
    {
      name: 'kind',
      description: Object.entries(faultKinds)
        .map(([kind, meaning]) => `${kind}: ${meaning}`)
        .join('; '),
      choices: Object.keys(faultKinds),
    },
  ],
  flags: [
    { name: 'times', type: 'string', value: 'COUNT', description: 'Number of calls; by default until it is cleared' },
    { name: 'method', type: 'string', value: 'METHOD', description: 'Only calls with this HTTP method' },
    { name: 'path', type: 'string', value: 'TEXT', description: 'Only calls whose path contains this text' },
    { name: 'skip', type: 'string', value: 'COUNT', description: 'Number of matching calls that succeed first' },
    { name: 'probability', type: 'string', value: 'SHARE', description: 'From 0 to 1' },
    { name: 'delay-ms', type: 'string', value: 'MS', description: 'For stall, slow_body, throttle and late' },
    sandboxUrl,
  ],
  examples: ['unirec sandbox fault set square reset_after --method POST --times 1'],
  async run(invocation) {
    const { arguments: given, flags } = invocation
    const fault: Record<string, unknown> = {
      kind: given.kind,
      method: flags.method || undefined,
      path: flags.path || undefined,
    }
    for (const name of numbers) {
      if (flags[name] === undefined) continue
      const value = Number(flags[name])
      if (!Number.isFinite(value) || value < 0)
        throw new CommandFailure(exitCodes.usage, `--${name} takes a number, not "${flags[name]}"`)
      fault[name === 'delay-ms' ? 'delayMs' : name] = value
    }
    show(
      invocation,
      given.platform as string,
      (await control<{ faults: Fault[] }>(invocation, 'POST', `/${given.platform}/faults`, fault)).faults,
    )
    return exitCodes.ok
  },
}

export const faultClear: Command = {
  name: 'sandbox fault clear',
  summary: 'Clear pending faults of one platform or of all',
  arguments: [{ ...platform, optional: true }],
  flags: [sandboxUrl],
  async run(invocation) {
    for (const name of await platformsOf(invocation))
      show(invocation, name, (await control<{ faults: Fault[] }>(invocation, 'DELETE', `/${name}/faults`)).faults)
    return exitCodes.ok
  },
}
