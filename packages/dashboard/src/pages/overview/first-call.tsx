import { useState } from 'react'
import { Link } from 'wouter'
import { ApiError, request, segment } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { RequestCode } from '../../components/request-code.tsx'
import { TestTag } from '../../components/state.tsx'
import { duration } from '../../format.ts'
import { KeyRound, Play } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import { type Account, type EntityType, entityTypes } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'

interface FirstResponse {
  status: number
  tookMs: number
  requestId: string
  body: unknown
}

/** The program to paste, and a button that sends the same request from this page. */
export function FirstCall({
  account,
  apiKey,
  onCreate,
  creating,
}: {
  account: Account
  apiKey: string | undefined
  onCreate(): void
  creating: boolean
}) {
  const { page } = useWorkspace()
  const platforms = usePlatforms()
  const [received, setReceived] = useState<FirstResponse>()
  const support =
    platforms.data?.find(({ platform }) => platform === account.platform)?.entities[account.vertical] ?? {}
  const entity = entityTypes.find((type) => support[type]?.read) ?? (entityTypes[0] as EntityType)
  const path = `/unified/${segment(account.id)}/${entity}?pageSize=2`
  const call = useAction(async () => {
    setReceived(undefined)
    const start = performance.now()
    let received = { status: 0, requestId: '' }
    const body = await request<unknown>('GET', path, {
      headers: { authorization: `Bearer ${apiKey}` },
      onHeaders: (headers, status) => {
        received = { status, requestId: headers.get('x-request-id') ?? '' }
      },
    })
    if (received.status === 0)
      throw new ApiError('unreachable', 0, 'The connection failed before the service responded.')
    setReceived({ ...received, body, tookMs: performance.now() - start })
  })
  return (
    <>
      <p className="soft">
        Read two records of <strong>{account.name}</strong> <TestTag of={account} />:
      </p>
      <RequestCode request={{ method: 'GET', path }} />
      {apiKey ? (
        <Button kind="primary" icon={Play} busy={call.busy} onClick={() => void call.run()}>
          Try it
        </Button>
      ) : (
        <div className="row">
          <Button needs="admin" icon={KeyRound} busy={creating} onClick={onCreate}>
            Create another API key
          </Button>
          <span className="small faint">
            Keys are shown only once. Create a new one to send the request from this page.
          </span>
        </div>
      )}
      {call.error ? <Failure error={call.error} /> : null}
      {received ? (
        <div className="stack-small">
          <Notice tone="ok" title={`${received.status} in ${duration(received.tookMs)}`}>
            <p>
              You made your first request. <Link href={page('activity', received.requestId)}>View its trace</Link>, or
              continue in the <Link href={page('explorer')}>explorer</Link>.
            </p>
          </Notice>
          <Json value={received.body} />
        </div>
      ) : null}
    </>
  )
}
