import { useLocation, useParams } from 'wouter'
import { manage } from '../../api.ts'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Page } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import type { WebhookEndpoint } from '../../types.ts'
import { useData } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { nameOf } from './endpoint-state.tsx'
import './webhooks.css'

export default function EditWebhookPage() {
  const { api, page } = useWorkspace()
  const { endpointId = '' } = useParams()
  const [, navigate] = useLocation()
  const path = api('webhook-endpoints', endpointId)
  const loaded = useData<WebhookEndpoint>(path)
  const back = page('webhooks', endpointId)
  return (
    <Page
      title="Edit endpoint"
      about="Deliveries that wait are sent with the new settings."
      parent={{ label: loaded.data ? nameOf(loaded.data) : 'Endpoint', href: back }}
    >
      <Content of={loaded} shape={<Skeleton height={480} />}>
        {(endpoint) => (
          <EndpointForm
            endpoint={endpoint}
            submit="Save"
            cancel={back}
            onSave={async (settings) => {
              loaded.put(await manage.patch<WebhookEndpoint>(path, settings))
              say('Endpoint saved')
              navigate(back)
            }}
          />
        )}
      </Content>
    </Page>
  )
}
