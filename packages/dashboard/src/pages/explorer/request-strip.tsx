import { Link } from 'wouter'
import { RequestCode } from '../../components/request-code.tsx'
import { TimeLegend, TimeSplit } from '../../components/time-split.tsx'
import { middle, plural } from '../../format.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { RequestInfo } from './responses.ts'

/** The request as a caller sends it, and its timing. */
export function RequestStrip({ asked: { request, timing, requestId } }: { asked: RequestInfo }) {
  const workspace = useWorkspace()
  return (
    <div className="asked">
      <RequestCode short request={request} />
      <div className="asked-time">
        <TimeSplit split={timing} />
        <TimeLegend split={timing} />
        <span className="faint">{plural(timing.nativeCalls, 'native call')}</span>
        <Link href={workspace.page('activity', requestId)} className="inline-link mono">
          <span className="unseen">Request </span>
          {middle(requestId, 20)}
        </Link>
      </div>
    </div>
  )
}
