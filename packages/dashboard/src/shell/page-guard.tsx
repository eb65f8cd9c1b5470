import { CircleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/feedback.tsx'

/** A fault of one page does not take the others away. */
export class PageGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Empty
        icon={CircleAlert}
        title="This page could not be shown"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        The dashboard met something it did not expect, or was updated while open. Nothing you saved is lost, and the service itself is not affected.
      </Empty>
    )
  }
}
