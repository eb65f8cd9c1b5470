import { useState } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../../components/page.tsx'
import type { Answer } from '../../manage.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { SigningSecret } from './signing-secret.tsx'
import './webhooks.css'

export default function NewWebhookPage() {
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const isNotification = useQuery().get('preset') === 'notifications'
  const [made, setMade] = useState<Answer<'createWebhookEndpoint'>>()
  return (
    <Page
      title={isNotification ? 'Add notification endpoint' : 'Add endpoint'}
      about="The endpoint receives what happens from now on."
      parent={{ label: 'Webhooks', href: page('webhooks') }}
    >
      <EndpointForm
        first={isNotification ? 'notifications' : 'all'}
        submit="Add endpoint"
        cancel={page('webhooks')}
        onSave={async (settings) => setMade(await call('createWebhookEndpoint', { body: settings }))}
      />
      {made ? (
        <SigningSecret
          secret={made.secret}
          sentence="Verify the signature of every request with it. If you lose it, rotate it."
          onDone={() => navigate(page('webhooks', made.id))}
        />
      ) : null}
    </Page>
  )
}
