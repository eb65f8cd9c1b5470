// What the platform sent for a record: the parts of its responses, as a caller gets them with `include=native`.

import { Link } from 'wouter'
import { Json } from '../../components/code.tsx'
import { Content, Empty, Skeleton } from '../../components/feedback.tsx'
import { Inbox } from '../../lucide/icons.tsx'
import type { EntityType } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useExplorerRoute } from './route.ts'
import './native-responses.css'

export function NativeResponses({
  id,
  accountId,
  entityType,
  platformName,
}: {
  id: string
  accountId: string
  entityType: EntityType
  platformName: string
}) {
  const { address } = useExplorerRoute()
  const record = useManage('exploreRecord', { path: { accountId, entityType, id }, query: { include: 'native' } })
  return (
    <Content of={record} shape={<Skeleton height={360} />}>
      {({ responses = [] }) =>
        responses.length === 0 ? (
          <Empty icon={Inbox} title="Nothing to show">
            The record was made of single values of several responses.
          </Empty>
        ) : (
          <ul className="native-responses">
            {responses.map(({ method, path, pointer, value }) => (
              <li key={`${method} ${path} ${pointer}`}>
                <header>
                  <h3>
                    <code>
                      {method} {path}
                    </code>
                  </h3>
                  <span className="small faint">
                    {pointer ? <code>{pointer}</code> : 'the whole body'} · as {platformName} sent it
                    {method === 'GET' ? (
                      <>
                        {' · '}
                        <Link href={address({ view: 'call', path })} className="inline-link">
                          Native call
                        </Link>
                      </>
                    ) : null}
                  </span>
                </header>
                <Json value={value} />
              </li>
            ))}
          </ul>
        )
      }
    </Content>
  )
}
