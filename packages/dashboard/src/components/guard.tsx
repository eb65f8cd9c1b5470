import { Component, type ReactNode } from 'react'
import { ChunkError } from '../load-chunk.ts'

interface GuardProps {
  /** Shown instead of what failed; `retry` renders that again. */
  fallback(error: Error, retry: () => void): ReactNode
  children: ReactNode
}

/** An error below it does not take the rest of the page away. */
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
