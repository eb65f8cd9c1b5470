import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/feedback.tsx'
import { Guard } from '../components/guard.tsx'
import { ChunkError } from '../load-chunk.ts'
import { CircleAlert, CloudOff } from '../lucide/icons.tsx'
import { forgetData } from '../use-data.ts'

const reload = () => location.reload()

/** Distinguishes a page that failed to load from a page with a bug. */
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
        The service is busy or unreachable. Saved data is not affected.
      </Empty>
    )
  return (
    <Empty
      icon={CircleAlert}
      title="Something went wrong on this page"
      action={
        <>
          <Button
            kind="primary"
            onClick={() => {
              forgetData() // the cached data may cause the error
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
        <p>
          The dashboard had an error. The service and your saved data are not affected. If it happens again, report this
          message:
        </p>
        <p>
          <code>{error.message}</code>
        </p>
      </div>
    </Empty>
  )
}

export const PageGuard = ({ children }: { children: ReactNode }) => <Guard fallback={failureOf}>{children}</Guard>
