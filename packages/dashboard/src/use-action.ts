// An action started by the user: its busy state, and its error until the next attempt.
import { useCallback, useState } from 'react'
import { ApiError } from './api.ts'
import { clearToasts } from './components/toast.tsx'

export interface Action<A extends unknown[]> {
  run(...parameters: A): Promise<void>
  busy: boolean
  error: ApiError | undefined
  reset(): void
}

export function useAction<A extends unknown[]>(work: (...parameters: A) => Promise<unknown>): Action<A> {
  const [state, setState] = useState<{ busy: boolean; error?: ApiError }>({ busy: false })
  return {
    busy: state.busy,
    error: state.error,
    reset: useCallback(() => setState({ busy: false }), []),
    async run(...parameters) {
      clearToasts()
      setState({ busy: true })
      try {
        await work(...parameters)
        setState({ busy: false })
      } catch (error) {
        setState({
          busy: false,
          error:
            error instanceof ApiError
              ? error
              : new ApiError('page_error', 0, (error as Error).message, { title: 'Something went wrong on this page' }),
        })
      }
    },
  }
}
