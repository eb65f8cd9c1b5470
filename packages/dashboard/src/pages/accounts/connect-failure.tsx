import { useEffect, useRef } from 'react'
import type { ApiError } from '../../api.ts'
import { Failure } from '../../components/feedback.tsx'
import { sentence } from './connect-fields.tsx'
import type { ConnectField } from './connectable.ts'

interface ConnectFailureProps {
  error: ApiError
  title: string
  /** What was not changed. */
  kept: string
  /** Pointers whose violations are shown at their fields. */
  shown: readonly string[]
  /** All fields of the platform, including those that the form does not ask for. */
  known: readonly ConnectField[]
}

/** Why the account was not connected. Field errors are shown at their fields, and the first one is focused. */
export function ConnectFailure({ error, title, kept, shown, known }: ConnectFailureProps) {
  const element = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every failure moves the focus
  useEffect(() => element.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [error])
  const labelOf = (pointer: string) => {
    const [, group = '', name] = pointer.split('/')
    return name ? (known.find((field) => field.name === name)?.label ?? name) : `The ${group}`
  }
  const isShown = ({ pointer }: { pointer: string }) => shown.includes(pointer)
  const sentences = error.errors
    .filter((one) => !isShown(one))
    .map(({ pointer, message }) => sentence(labelOf(pointer), message))
  const marked = error.errors.some(isShown)
  return (
    <div ref={element}>
      {error.errors.length > 0 ? (
        <Failure
          error={error}
          title={title}
          kept={marked ? `${kept} Fix the marked fields and try again.` : kept}
          sentences={sentences}
        />
      ) : (
        <Failure error={error} title={title} kept={kept} />
      )}
    </div>
  )
}
