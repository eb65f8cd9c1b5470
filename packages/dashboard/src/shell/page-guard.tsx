import { CircleAlert, CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/feedback.tsx'
import { Guard } from '../components/guard.tsx'
import { ChunkError } from '../load-chunk.ts'
import { forgetData } from '../use-data.ts'

const reload = () => location.reload()

/** Tells a page that did not load from a page with a bug. */
function failureOf(error: Error, retry: () => void): ReactNode {
  if (error instanceof ChunkError)
    return (
      <Empty
        icon={CloudOff}
        title="This page could not be loaded"
        action={
          <Button kind="primary" onClick={reload}>
            Reload
          </Button>
        }
      >
        The service is busy, or this computer cannot reach it. Several attempts failed. Nothing you saved is lost.
      </Empty>
    )
  return (
    <Empty
      icon={CircleAlert}
      title="This page has a problem"
      action={
        <>
          <Button
            kind="primary"
            onClick={() => {
              forgetData() // it may be what the page cannot show
              retry()
            }}
          >
            Try again
          </Button>
          <Button onClick={reload}>Reload</Button>
        </>
      }
    >
      <div className="stack-small">
        <p>An error in the dashboard stopped this page. The service is not affected, and nothing you saved is lost. If it happens again, report this message:</p>
        <p>
          <code>{error.message}</code>
        </p>
      </div>
    </Empty>
  )
}

export const PageGuard = ({ children }: { children: ReactNode }) => <Guard fallback={failureOf}>{children}</Guard>
