// The stages of a request other than native calls, reported to the activity.
import type { EngineOptions, RequestContext, StageEvent } from './options.ts'

export interface Stages {
  /** Reports how long the work took, and its result in `note`. */
  run<T>(
    context: RequestContext,
    name: StageEvent['name'],
    work: () => Promise<T>,
    note?: (result: T) => string,
  ): Promise<T>
  say(context: RequestContext, name: StageEvent['name'], note: string): void
}

export function createStages({ observeStage }: Pick<EngineOptions, 'observeStage'>): Stages {
  const say = ({ requestId }: RequestContext, name: StageEvent['name'], note: string | undefined, durationMs: number) =>
    observeStage?.({ requestId, name, durationMs, note })
  return {
    async run(context, name, work, note) {
      if (!observeStage) return work()
      const began = performance.now()
      try {
        const result = await work()
        say(context, name, note?.(result), performance.now() - began)
        return result
      } catch (error) {
        say(context, name, (error as Error).message, performance.now() - began)
        throw error
      }
    },
    say: (context, name, note) => say(context, name, note, 0),
  }
}
