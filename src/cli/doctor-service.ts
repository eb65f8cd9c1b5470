// What can be checked from anywhere: the service, its clock, the credentials, and every account's platform.
import { UnifiedError } from '../../packages/client/src/index.ts'
import type { Connector } from '../contract/connector.ts'
import { daysToReview, reviewNoticeDays } from '../contract/review.ts'
import type { Connection, Invocation, Manage } from './command.ts'
import { CommandFailure } from './command.ts'
import { MissingCredentials } from './connect.ts'
import { type Finding, finding, problem, skipped, warning } from './finding.ts'
import { type AccountShown, listAll, reasonOf } from './manage.ts'

const mostSkewMs = 5_000
const atOnce = 4
const unreachable = { unreachable: true } as const

export async function* checkService(invocation: Invocation): AsyncGenerator<Finding> {
  const connection = await invocation
    .connect()
    .catch((error: unknown) => (error instanceof CommandFailure ? error : Promise.reject(error)))
  if (connection instanceof CommandFailure) {
    yield {
      ...problem(
        'service',
        connection.message,
        'npm start runs a service with a sandbox; docs/cli.md lists the variables',
      ),
      ...unreachable,
    }
    return
  }
  const { url } = connection
  const asked = Date.now()
  const response = await fetch(`${url}/readyz`, {
    signal: AbortSignal.any([invocation.signal, AbortSignal.timeout(15_000)]),
  }).catch((error: unknown) => error as Error)
  if (response instanceof Error) {
    invocation.signal.throwIfAborted()
    yield {
      ...problem(
        'service',
        `${url} cannot be reached: ${reasonOf(response)}`,
        'check that it is running (unirec serve) and that UNIREC_URL is correct',
      ),
      ...unreachable,
    }
    return
  }
  await response.arrayBuffer()
  yield response.ok
    ? finding('service', `${url} is ready`)
    : {
        ...problem(
          'service',
          `${url}/readyz responds with ${response.status}`,
          'see its log; usually the database is unavailable',
        ),
        ...unreachable,
      }
  yield checkClock(response.headers.get('date'), (asked + Date.now()) / 2)
  yield* await checkReviews(url, invocation.signal)
  yield await checkCredentials(connection, invocation.signal)
  if (!connection.manage || connection.byKey) {
    yield skipped('accounts', 'this needs UNIREC_ADMIN_TOKEN')
    return
  }
  yield* checkAccounts(connection.manage, Boolean(invocation.flags['no-platforms']))
}

/** The header has whole seconds. */
function checkClock(date: string | null, here: number): Finding {
  const skew = date ? Math.max(0, Math.abs(Date.parse(date) + 500 - here) - 500) : 0
  if (skew > mostSkewMs)
    return problem(
      'clock',
      `this machine and the service are ${Math.round(skew / 1000)} s apart`,
      'synchronize both with NTP: tokens and updatedAfter depend on it',
    )
  return finding('clock', 'in sync with the service')
}

/** Versions of platforms' APIs that may end soon. */
async function checkReviews(url: string, signal: AbortSignal): Promise<Finding[]> {
  const response = await fetch(`${url}/platforms`, { signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]) })
  const { data = [] } = (await response.json().catch(() => ({}))) as {
    data?: { name: string; apiVersion?: Connector['apiVersion'] }[]
  }
  const found = data.flatMap(({ name, apiVersion }) => {
    if (!apiVersion || daysToReview(apiVersion) > reviewNoticeDays) return []
    const message = `${name} may end version ${apiVersion.name} of its API after ${apiVersion.reviewBy}`
    return [warning('platform versions', message, 'upgrade the service; see the changelog')]
  })
  return found.length > 0 ? found : [finding('platform versions', 'none ends soon')]
}

/** The account does not exist: a valid credential gets 404, an invalid one is rejected before that. */
async function checkCredentials(connection: Connection, signal: AbortSignal): Promise<Finding> {
  try {
    await connection.client.account('unirec-doctor').describe({ signal })
    return finding('credentials', 'accepted')
  } catch (error) {
    if (error instanceof MissingCredentials)
      return connection.manage
        ? skipped('credentials', error.reason)
        : { ...problem('credentials', error.reason, error.fix), ...unreachable }
    if (!(error instanceof UnifiedError)) throw error
    if (error.code === 'unknown_account') return finding('credentials', 'accepted')
    const fix =
      'set UNIREC_API_KEY (or UNIREC_ACCESS_ID and UNIREC_ACCESS_SECRET); create a new key in the management API'
    return {
      ...problem('credentials', `${error.code}: ${error.detail}`, fix),
      ...(error.status === 401 || error.status === 403 ? unreachable : {}),
    }
  }
}

async function* checkAccounts(manage: Manage, alone: boolean): AsyncGenerator<Finding> {
  let count = 0
  let batch: AccountShown[] = []
  const test = () => Promise.all(batch.map((account) => checkAccount(manage, account, alone)))
  for await (const account of listAll(manage, 'listAccounts')) {
    count++
    batch.push(account)
    if (batch.length < atOnce) continue
    yield* await test()
    batch = []
  }
  yield* await test()
  if (count === 0) yield finding('accounts', 'none are connected yet')
}

async function checkAccount(
  manage: Manage,
  { id, platform, state, stateReason, renewal }: AccountShown,
  alone: boolean,
): Promise<Finding> {
  const check = `account ${id}`
  if (state === 'disabled') return skipped(check, 'disabled, not called')
  if (state === 'reconnect_required')
    return problem(
      check,
      `${platform} no longer accepts its authorization${stateReason ? ` (${stateReason})` : ''}`,
      `connect it again: unirec accounts reconnect ${id}, or the dashboard. If it was lost by mistake: unirec accounts test ${id}`,
    )
  if (renewal)
    return problem(
      check,
      `${platform} does not renew its token since ${renewal.failingSince}`,
      `wait: it is tried again at ${renewal.retryAt}. The status page of the platform says more`,
    )
  if (alone) return skipped(check, `${platform}, active, not called`)
  const { ok, code, detail } = await manage.call('testAccount', { path: { accountId: id } })
  if (ok) return finding(check, `${platform} responds`)
  const fix =
    code === 'reconnect_required' || code === 'unauthorized'
      ? `connect it again: unirec accounts reconnect ${id}, or the dashboard`
      : detail?.includes('HTTPS_PROXY')
        ? 'check HTTPS_PROXY and NO_PROXY of the service, and what the proxy allows'
        : 'is the platform up? Its status page says; otherwise check settings and scopes of the account'
  return problem(check, `${platform}: ${code}: ${detail}`, fix)
}
