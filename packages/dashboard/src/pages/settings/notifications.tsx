import { Link } from 'wouter'
import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Section } from '../../components/page.tsx'
import { Bell, Plus } from '../../lucide/icons.tsx'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EndpointState, nameOf } from '../webhooks/endpoint-state.tsx'
import { notifies } from '../webhooks/events.ts'

export function Notifications() {
  const { page } = useWorkspace()
  const list = useManage('listWebhookEndpoints', { query: { limit: 500 } })
  const add = withQuery(page('webhooks', 'new'), { preset: 'notifications' })
  return (
    <Section
      title="Notifications"
      about="Webhook endpoints that are told when an account must be reconnected, when another endpoint fails, and when a delivery has failed."
    >
      <Content of={list} shape={<Skeleton height={32} />}>
        {({ data }) => {
          const endpoints = data.filter(({ events }) => notifies(events))
          return endpoints.length === 0 ? (
            <div className="row">
              <span className="soft">No endpoint receives notifications.</span>
              <LinkButton needs="operator" small icon={Bell} href={add}>
                Add notification endpoint
              </LinkButton>
            </div>
          ) : (
            <div className="stack-small">
              <ul className="setting-endpoints">
                {endpoints.map((endpoint) => (
                  <li key={endpoint.id} className="spread">
                    <Link href={page('webhooks', endpoint.id)} title={endpoint.url}>
                      {nameOf(endpoint)}
                    </Link>
                    <EndpointState endpoint={endpoint} />
                  </li>
                ))}
              </ul>
              <div>
                <LinkButton needs="operator" small icon={Plus} href={add}>
                  Add another
                </LinkButton>
              </div>
            </div>
          )
        }}
      </Content>
    </Section>
  )
}
