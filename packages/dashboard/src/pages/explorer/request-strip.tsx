import { Link } from 'wouter'
import { CopyButton } from '../../components/identifier.tsx'
import { TimeLegend, TimeSplit } from '../../components/time-split.tsx'
import { middle, plural } from '../../format.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { RequestInfo } from './responses.ts'

/** The matching curl command, and the timing of the request. */
export function RequestStrip({ asked: { curl, timing, requestId } }: { asked: RequestInfo }) {
  const workspace = useWorkspace()
  return (
    <div className="asked">
      <div className="asked-line">
        <code className="asked-curl" title={curl}>
          {curl.replaceAll(/\s*\\\n\s*/g, ' ')}
        </code>
        <CopyButton text={curl} label="Copy curl" />
      </div>
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
