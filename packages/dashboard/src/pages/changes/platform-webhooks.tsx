import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { CopyButton } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { State, type Tone } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { RefreshCw } from '../../lucide/icons.tsx'
import type { Answer } from '../../manage.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import './platform-webhooks.css'

type Hook = Answer<'getHook'>

const tones: Readonly<Record<Hook['state'], Tone>> = {
  waiting: 'waiting',
  active: 'ok',
  failing: 'broken',
  paused: 'idle',
  unavailable: 'attention',
  unsupported: 'idle',
}
function wordsOf({ state, automatic, url, secret }: Hook): string {
  if (state !== 'waiting')
    return {
      active: 'Active',
      failing: 'Failing',
      paused: 'Paused',
      unavailable: 'Not available',
      unsupported: 'Not supported',
    }[state]
  if (automatic) return url === undefined ? 'Starts with the first watched entity' : 'Registering'
  return secret && !secret.stored ? 'Not set up' : 'Nothing received yet'
}

/** Webhooks that the platform sends about an account, or about all accounts of the workspace. */
export function PlatformWebhooks({ platform, accountId }: { platform: string; accountId?: string }) {
  const { call } = useWorkspace()
  const loaded = useManage(
    accountId === undefined ? 'getApplicationHook' : 'getHook',
    { path: { platform, accountId } },
    { every: 10_000 },
  )
  const hook = loaded.data
  const check = useAction(async () => {
    if (accountId !== undefined) loaded.put(await call('checkHook', { path: { accountId } }))
    say('Webhooks checked')
  })
  if (!hook || hook.state === 'unsupported') return null
  // Set up for each account, on its own page.
  if (accountId === undefined && hook.scope === 'account') return null
  const isChecked = accountId !== undefined && hook.automatic && hook.url !== undefined
  return (
    <Section
      title={`Webhooks from ${hook.name}`}
      about={aboutOf(hook)}
      actions={
        <>
          <State tone={tones[hook.state]}>{wordsOf(hook)}</State>
          {isChecked ? (
            <Button needs="operator" small icon={RefreshCw} busy={check.busy} onClick={() => void check.run()}>
              Check now
            </Button>
          ) : null}
        </>
      }
    >
      <div className="stack platform-webhooks">
        {hook.error ? <Notice tone={hook.state === 'failing' ? 'broken' : 'attention'} title={hook.error} /> : null}
        {check.error ? <Failure error={check.error} /> : null}
        {hook.lastReceivedAt || hook.lastRefusedAt ? <Facts facts={factsOf(hook)} /> : null}
        {hook.automatic || hook.url === undefined ? null : (
          <SetUp hook={hook} platform={platform} accountId={accountId} onSaved={loaded.put} />
        )}
      </div>
    </Section>
  )
}

function aboutOf({ name, automatic, scope }: Hook): string {
  const what = `${name} reports changes at once. Polls and walks find the rest.`
  if (automatic) return `${what} The service registers the webhooks.`
  return scope === 'application' ? `${what} Set up once for all ${name} accounts.` : what
}

const factsOf = ({ lastReceivedAt, lastRefusedAt }: Hook) => [
  lastReceivedAt ? (['Last received', <Moment key="received" at={lastReceivedAt} />] as const) : undefined,
  lastRefusedAt ? (['Last refused, wrong signature', <Moment key="refused" at={lastRefusedAt} />] as const) : undefined,
]

/** What a person does in the platform's console. */
function SetUp({
  hook,
  platform,
  accountId,
  onSaved,
}: {
  hook: Hook
  platform: string
  accountId: string | undefined
  onSaved(hook: Hook): void
}) {
  const { call } = useWorkspace()
  const { url = '', steps, secret, code, name } = hook
  const [value, setValue] = useState('')
  const save = useAction(async () => {
    const body = { secret: value.trim() }
    onSaved(
      hook.scope === 'application' || accountId === undefined
        ? await call('setApplicationHookSecret', { path: { platform }, body })
        : await call('setHookSecret', { path: { accountId }, body }),
    )
    setValue('')
    say(`${name} webhook secret saved`)
  })
  return (
    <details open={hook.state !== 'active'}>
      <summary>Set up in the {name} console</summary>
      <div className="stack">
        <Code text={url} label="Copy URL" />
        {steps.length > 0 ? (
          <ol className="platform-webhooks-steps">
            {steps.map((step) => (
              <li key={step}>{step.replaceAll(url, 'the URL above')}</li>
            ))}
          </ol>
        ) : null}
        {code === undefined ? null : (
          <p>
            Enter this code in the console: <strong className="mono">{code}</strong>{' '}
            <CopyButton text={code} label="Copy code" />
          </p>
        )}
        {secret ? (
          <form
            className="platform-webhooks-secret"
            onSubmit={(event) => {
              event.preventDefault()
              void save.run()
            }}
          >
            <TextField
              label={secret.label}
              hint={
                secret.stored
                  ? 'One is stored. After a change, the previous one stays valid for 24 hours.'
                  : secret.help
              }
              error={save.error?.violationOf('/secret')}
              type="password"
              value={value}
              onChange={setValue}
              autoComplete="new-password"
              required
            />
            <Button
              needs="operator"
              type="submit"
              kind={secret.stored ? 'plain' : 'primary'}
              busy={save.busy}
              disabled={!value.trim()}
            >
              {secret.stored ? 'Replace' : 'Save'}
            </Button>
          </form>
        ) : null}
        {save.error && !save.error.violationOf('/secret') ? (
          <Failure error={save.error} kept="The stored secret was not changed." />
        ) : null}
      </div>
    </details>
  )
}
