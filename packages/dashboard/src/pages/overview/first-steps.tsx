// Guides an empty workspace to its first request. Each step detects when it is done.

import { type ReactNode, useState } from 'react'
import { Button, LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Section } from '../../components/page.tsx'
import { SecretBox } from '../../components/secret-box.tsx'
import { AccountState, Tag, TestTag } from '../../components/state.tsx'
import { Check, KeyRound, Plug } from '../../lucide/icons.tsx'
import type { Credential } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { FirstCall } from './first-call.tsx'

type Made = Credential & { key: string }

export function FirstSteps() {
  const { call, page } = useWorkspace()
  const keys = useManage('listApiKeys', { query: { limit: 50 } })
  const accounts = useManage('listAccounts', { query: { limit: 5 } })
  const [made, setMade] = useState<Made>()
  const [shown, setShown] = useState(false)
  const create = useAction(async () => {
    setMade(await call('createApiKey', { body: { name: 'First key' } }))
    setShown(true)
    await keys.refresh()
  })
  if (!keys.data || !accounts.data) return null
  const usable = keys.data.data.filter(({ revokedAt }) => !revokedAt)
  const account = accounts.data.data.find(({ state }) => state === 'active') ?? accounts.data.data[0]
  const hasKey = usable.length > 0
  return (
    <Section title="Make your first request" about="Four steps to read records of a connected account.">
      <ol className="steps">
        <Step number={1} title="A workspace" done>
          <p className="soft">
            Separates the accounts and credentials of one environment or customer. You are in this workspace.
          </p>
        </Step>
        <Step number={2} title="An API key" done={hasKey} now={!hasKey}>
          <p className="soft">Your system sends it with each request. It is shown once and stored as a hash.</p>
          {hasKey ? (
            <span className="row">
              {usable.slice(0, 3).map(({ id, name }) => (
                <Tag key={id}>{name}</Tag>
              ))}
            </span>
          ) : (
            <Button needs="admin" kind="primary" icon={KeyRound} busy={create.busy} onClick={() => void create.run()}>
              Create API key
            </Button>
          )}
          {create.error ? <Failure error={create.error} /> : null}
        </Step>
        <Step number={3} title="A connected account" done={account !== undefined} now={hasKey && !account}>
          <p className="soft">
            A store, a restaurant, or a company’s books on one of the platforms. Enter its credentials, or send a
            connect link to its owner.
          </p>
          {account ? (
            <span className="row">
              <Tag>{account.name}</Tag>
              <TestTag of={account} />
              <AccountState state={account.state} />
            </span>
          ) : (
            <LinkButton
              needs="operator"
              kind={hasKey ? 'primary' : 'plain'}
              icon={Plug}
              href={page('accounts', 'connect')}
            >
              Connect an account
            </LinkButton>
          )}
        </Step>
        <Step number={4} title="First request" now={hasKey && account !== undefined}>
          {account && hasKey ? (
            <FirstCall account={account} apiKey={made?.key} onCreate={() => void create.run()} creating={create.busy} />
          ) : (
            <p className="soft">Available when you have a key and an account.</p>
          )}
        </Step>
      </ol>
      {shown && made ? (
        <SecretBox
          title={made.name}
          secrets={[{ label: 'API key', value: made.key }]}
          sentence="It is active now. This page keeps it until you leave, for the request in the last step."
          onDone={() => setShown(false)}
        />
      ) : null}
    </Section>
  )
}

function Step({
  number,
  title,
  done,
  now,
  children,
}: {
  number: number
  title: string
  done?: boolean
  now?: boolean
  children: ReactNode
}) {
  return (
    <li className={`step ${done ? 'step-done' : now ? 'step-now' : ''}`} aria-current={now ? 'step' : undefined}>
      <span className="step-mark">
        {done ? <Check size={14} aria-hidden /> : number}
        <span className="unseen">{done ? 'Done' : 'Open'}</span>
      </span>
      <div className="step-inside">
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  )
}
