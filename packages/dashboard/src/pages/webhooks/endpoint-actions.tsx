import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { ApiError } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Menu } from '../../components/menu.tsx'
import { say } from '../../components/toast.tsx'
import { duration } from '../../format.ts'
import { Ban, CircleCheck, Ellipsis, History, Pencil, RotateCw, Send, Trash2 } from '../../lucide/icons.tsx'
import type { Delivery, WebhookEndpoint } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import type { Loaded } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { nameOf } from './endpoint-state.tsx'
import { Replay } from './replay.tsx'
import { SigningSecret } from './signing-secret.tsx'

/** Of the last attempt. */
function outcomeOf({ attempts }: Delivery): string {
  const { status, durationMs = 0 } = attempts.at(-1) ?? {}
  return status === undefined ? 'no response' : `${status} in ${duration(durationMs)}`
}

interface EndpointActionsProps {
  endpoint: WebhookEndpoint
  loaded: Loaded<WebhookEndpoint>
  /** Called with the error of an action, or with undefined after a success. */
  onFailure(error: ApiError | undefined): void
  /** There are new deliveries. */
  onSent(): void
}

export function EndpointActions({ endpoint, loaded, onFailure, onSent }: EndpointActionsProps) {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<'rotate' | 'replay' | 'disable' | 'delete'>()
  const [secret, setSecret] = useState<string>()
  const close = () => setAsked(undefined)
  const path = { endpointId: endpoint.id }
  const isDisabled = endpoint.state === 'disabled'
  const test = useAction(async () => {
    const sent = await call('testWebhookEndpoint', { path })
    onSent()
    if (sent.state === 'delivered') say(`Test event delivered: ${outcomeOf(sent)}`)
    else if (sent.state === 'failed') say(`Test event failed: ${outcomeOf(sent)}`, 'failed')
    else say(isDisabled ? 'The test event waits until the endpoint is enabled' : 'Test event sent, no response yet')
  })
  const enable = useAction(async () => {
    loaded.put(await call('enableWebhookEndpoint', { path }))
    onSent()
    say('Endpoint enabled')
  })
  const error = test.error ?? enable.error
  useEffect(() => onFailure(error), [error, onFailure])
  return (
    <>
      <Button needs="operator" icon={Send} busy={test.busy} onClick={() => void test.run()}>
        Send test event
      </Button>
      {isDisabled ? (
        <Button needs="operator" kind="primary" icon={CircleCheck} busy={enable.busy} onClick={() => void enable.run()}>
          Enable
        </Button>
      ) : null}
      <LinkButton needs="operator" icon={Pencil} href={page('webhooks', endpoint.id, 'edit')}>
        Edit
      </LinkButton>
      <Menu
        label="More actions"
        className="button button-plain"
        button={<Ellipsis size={16} aria-hidden />}
        entries={[
          { label: 'Replay events', needs: 'operator' as const, icon: History, run: () => setAsked('replay') },
          { label: 'Rotate secret', needs: 'operator' as const, icon: RotateCw, run: () => setAsked('rotate') },
          ...(isDisabled
            ? []
            : [{ label: 'Disable endpoint', needs: 'operator' as const, icon: Ban, run: () => setAsked('disable') }]),
          {
            label: 'Delete endpoint',
            needs: 'operator' as const,
            icon: Trash2,
            danger: true,
            apart: true,
            run: () => setAsked('delete'),
          },
        ]}
      />
      {asked === 'replay' ? <Replay endpoint={endpoint} onClose={close} onReplayed={onSent} /> : null}
      {asked === 'rotate' ? (
        <Confirm
          title="Rotate the signing secret?"
          consequence={
            <>
              <p>A new secret is created and shown once.</p>
              <p>
                For 24 hours, every request is signed with the new and the current secret. Replace the secret in your
                receiver in this time: no event is rejected meanwhile.
              </p>
              <p>
                <strong>An older secret stops working immediately</strong> if you have rotated within the last 24 hours.
              </p>
            </>
          }
          submit="Rotate secret"
          onClose={close}
          onConfirm={async () => {
            const { secret: made, ...changed } = await call('rotateWebhookSecret', { path })
            loaded.put(changed)
            setSecret(made)
          }}
        />
      ) : null}
      {asked === 'disable' ? (
        <Confirm
          title={`Disable ${nameOf(endpoint)}?`}
          consequence={<p>Nothing is sent until you enable it again. Its events wait, and are sent then.</p>}
          submit="Disable endpoint"
          onClose={close}
          onConfirm={async () => {
            loaded.put(await call('disableWebhookEndpoint', { path }))
            say('Endpoint disabled')
          }}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={`Delete ${nameOf(endpoint)}?`}
          consequence={
            <p>
              Its secret and its deliveries are deleted, and what waits is not sent. This cannot be undone. Changes stay
              in the change feed.
            </p>
          }
          typed="delete"
          submit="Delete endpoint"
          onClose={close}
          onConfirm={async () => {
            await call('deleteWebhookEndpoint', { path })
            say('Endpoint deleted')
            navigate(page('webhooks'))
          }}
        />
      ) : null}
      {secret === undefined ? null : (
        <SigningSecret
          secret={secret}
          sentence="The previous secret is valid for 24 hours more. Every request is signed with both."
          onDone={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
