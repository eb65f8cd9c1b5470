import { Component, type ReactNode } from 'react'
import { ChunkError } from '../load-chunk.ts'

interface GuardProps {
  /** Shown if rendering fails; `retry` renders the children again. */
  fallback(error: Error, retry: () => void): ReactNode
  children: ReactNode
}

/** An error boundary: the rest of the page stays usable. */
export class Guard extends Component<GuardProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override componentDidCatch(error: Error) {
    if (error instanceof ChunkError) error.forget()
  }
  override render() {
    const { error } = this.state
    return error ? this.props.fallback(error, () => this.setState({ error: undefined })) : this.props.children
  }
}
