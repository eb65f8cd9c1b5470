// Carries out a plan, or shows it. What was done stays: the report says what was not, and the next run continues.
import { allowedHostsIn } from '../../config.ts'
import { createEgress } from '../../engine/outbound/egress.ts'
import { CommandFailure, exitCodes, type Invocation, type Output } from '../command.ts'
import { managed } from '../connect.ts'
import { textIn } from '../flag-values.ts'
import { ManageFailure } from '../manage.ts'
import { inline } from '../printable.ts'
import { type ConfigurationFile, readConfiguration, refuseFaults } from './file.ts'
import { type Change, type Made, NotDone, type Planning, type Step } from './plan.ts'
import { openSecretsFile, type SecretsFile, secretIn } from './secrets.ts'
import { planFile } from './workspaces.ts'

type Outcome = 'planned' | 'done' | 'failed' | 'not done'
interface Report {
  step: Step
  outcome: Outcome
  error?: string
  made?: Made // with a secret that is shown
}
const isPending = ({ action }: Step) => action === 'create' || action === 'change' || action === 'remove'

const makesSecret = ({ kind, action }: Step) =>
  action === 'create' && ['API key', 'access id', 'webhook endpoint'].includes(kind)

export async function runApply(invocation: Invocation): Promise<number> {
  const { flags, output, environment, connect } = invocation
  const onlyPlans = flags.plan === true
  const file = await readConfiguration(flags.file as string, invocation)
  const connection = await connect()
  const planning: Planning = {
    manage: managed(connection),
    file,
    prune: flags.prune === true,
    rotateSecrets: flags['rotate-secrets'] === true,
    onlyPlans,
    egress: egressOf(environment),
    readSecret: (source) => secretIn(source, environment, file),
    steps: [],
    faults: [],
  }
  await planFile(planning, { byKey: connection.byKey === true, only: textIn(flags.workspace) })
  refuseFaults(file, planning.faults)
  const steps = inOrder(planning.steps)
  if (onlyPlans) {
    for (const step of steps) show(output, { step, outcome: 'planned' })
    summarize(
      output,
      steps.map((step) => ({ step, outcome: 'planned' })),
    )
    return steps.some(isPending) ? exitCodes.pending : exitCodes.ok
  }
  const secretsFile = steps.some(makesSecret) ? textIn(flags['secrets-file']) : undefined
  using secrets = secretsFile === undefined ? undefined : openSecretsFile(secretsFile)
  return await carryOut(steps, { output, secrets, file })
}

function egressOf(environment: NodeJS.ProcessEnv) {
  try {
    return createEgress({ allowedHosts: allowedHostsIn(environment) })
  } catch (error) {
    throw new CommandFailure(exitCodes.usage, (error as Error).message)
  }
}

/** What is removed comes last: a mapping can be deleted when it is the default of nothing anymore. */
function inOrder(steps: readonly Step[]): Step[] {
  const isRemoved = ({ action }: Step) => action === 'remove'
  const removed = steps.filter(isRemoved)
  const isDefault = ({ kind }: Step) => kind === 'mapping default'
  return [
    ...steps.filter((step) => !isRemoved(step)),
    ...removed.filter(isDefault),
    ...removed.filter((step) => !isDefault(step)),
  ]
}

interface Surroundings {
  output: Output
  secrets: SecretsFile | undefined
  file: ConfigurationFile
}

async function carryOut(steps: readonly Step[], { output, secrets, file }: Surroundings): Promise<number> {
  const reports: Report[] = []
  const report = (one: Report) => {
    reports.push(one)
    show(output, one)
  }
  let stopped: unknown // nothing more can be done
  for (const step of steps) {
    if (!isPending(step)) report({ step, outcome: 'done' })
    else if (stopped !== undefined) report({ step, outcome: 'not done', error: 'not reached' })
    else
      try {
        const made = await step.run?.()
        report({ step: { ...step, id: made?.id ?? step.id }, outcome: 'done', ...storeSecret(step, made, secrets) })
      } catch (error) {
        if (!(error instanceof NotDone) && !(error instanceof ManageFailure && error.status !== 401)) stopped = error
        const outcome = error instanceof NotDone ? 'not done' : 'failed'
        report({ step, outcome, error: describe(error, step, file) })
      }
  }
  summarize(output, reports)
  const failed = reports.filter(({ outcome }) => outcome === 'failed' || outcome === 'not done').length
  if (failed === 0) return exitCodes.ok
  const sentence = `${failed} of ${steps.length} objects are not as in the file. What was applied stays: correct the cause, and run unirec apply again`
  output.error(output.json ? JSON.stringify({ error: sentence }) : sentence)
  return stopped instanceof CommandFailure ? stopped.exitCode : exitCodes.failed
}

/** What is not written to a file is shown once. */
function storeSecret(
  step: Step,
  made: Made | undefined,
  secrets: SecretsFile | undefined,
): Pick<Report, 'made' | 'error'> & { outcome?: Outcome } {
  if (!made?.secret) return {}
  if (!secrets) return { made }
  try {
    secrets.add(step, made)
    return {}
  } catch (error) {
    const sentence = `${made.id} was created, but its secret could not be stored: ${(error as Error).message}. Rotate it: unirec ${step.kind === 'webhook endpoint' ? 'webhooks' : 'keys'} rotate ${made.id}`
    return { outcome: 'failed', error: sentence }
  }
}

/** With the lines of the file for the pointers of the service. */
function describe(error: unknown, step: Step, file: ConfigurationFile): string {
  if (error instanceof ManageFailure) {
    if (error.code === 'already_exists')
      return `${error.code}: another apply has just created it. Run unirec apply again`
    const lines = error.errors.map((one) => `${file.where((step.pointer ?? '') + one.pointer)} ${one.message}`)
    return [`${error.code}: ${error.detail}`, ...lines].join('\n')
  }
  const lost = makesSecret(step)
    ? '. If it was created nevertheless, its secret is lost: the next apply shows it as unchanged; rotate it then'
    : ''
  return (error as Error).message + (error instanceof NotDone ? '' : lost)
}

const words: Record<Step['action'], Record<Outcome, string>> = {
  create: { planned: 'create', done: 'created', failed: 'failed', 'not done': 'not done' },
  change: { planned: 'change', done: 'changed', failed: 'failed', 'not done': 'not done' },
  remove: { planned: 'remove', done: 'removed', failed: 'failed', 'not done': 'not done' },
  unchanged: { planned: 'unchanged', done: 'unchanged', failed: 'failed', 'not done': 'not done' },
  extra: { planned: 'not in the file', done: 'not in the file', failed: 'failed', 'not done': 'not done' },
}

/** By people, in any words. */
const named = new Set(['workspace', 'API key', 'access id'])

function show(output: Output, { step, outcome, error, made }: Report): void {
  const { run: _, pointer: __, action, ...shown } = step
  if (output.json) {
    const shownAction = action === 'extra' ? 'not in the file' : action
    const result = isPending(step) ? { outcome, error, secret: made?.secret } : {}
    output.line(JSON.stringify({ ...shown, action: shownAction, ...result }))
    return
  }
  const { workspace, kind, name, id, changes, note } = step
  const place = kind === 'workspace' ? '' : `${workspace}: `
  const shownName = named.has(kind) ? JSON.stringify(name) : name
  const title = [kind, ...(name === '' ? [] : [shownName]), ...(action === 'extra' && id ? [`(${id})`] : [])].join(' ')
  output.line(inline(`${words[action][outcome].padEnd(16)}${place}${title}`))
  const detail = (text: string) => output.line(inline(`${' '.repeat(18)}${text}`))
  for (const change of outcome === 'not done' ? [] : changes) detail(describeChange(action, change))
  if (note) detail(note)
  for (const line of error?.split('\n') ?? []) detail(line)
  if (made) {
    detail(`id      ${made.id}`)
    detail(`secret  ${made.secret}`)
  }
}
const describeChange = (action: Step['action'], { field, before, after }: Change) =>
  action === 'create' ? `${field}: ${textOf(after)}` : `${field}: ${textOf(before)} → ${textOf(after)}`

const longest = 100
function textOf(value: unknown): string {
  const text =
    value === undefined || (Array.isArray(value) && value.length === 0) || value === ''
      ? 'none'
      : typeof value === 'string'
        ? value
        : Array.isArray(value) && value.every((one) => typeof one === 'string')
          ? value.join(', ')
          : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

function summarize(output: Output, reports: readonly Report[]): void {
  const counts = new Map<string, number>()
  for (const { step, outcome } of reports) {
    const word = words[step.action][outcome]
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  if (output.json) {
    output.line(JSON.stringify({ summary: Object.fromEntries(counts) }))
    return
  }
  const isPlan = reports.some(({ step, outcome }) => isPending(step) && outcome === 'planned')
  const shown = (word: string) => (isPlan && /^(create|change|remove)$/.test(word) ? `to ${word}` : word)
  output.note([...counts].map(([word, count]) => `${count} ${shown(word)}`).join(', ') || 'the file has no workspaces')
  if (reports.some(({ made }) => made)) output.note('store the secrets: they are not shown again')
}
