import { useLocation, useParams } from 'wouter'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Page } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { nameOf } from './endpoint-state.tsx'
import './webhooks.css'

export default function EditWebhookPage() {
  const { call, page } = useWorkspace()
  const { endpointId = '' } = useParams()
  const [, navigate] = useLocation()
  const loaded = useManage('getWebhookEndpoint', { path: { endpointId } })
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
              loaded.put(await call('changeWebhookEndpoint', { path: { endpointId }, body: settings }))
              say('Endpoint saved')
              navigate(back)
            }}
          />
        )}
      </Content>
    </Page>
  )
}
