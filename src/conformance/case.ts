import type { Subject } from './subject.ts'

/** One thing that must hold for an entity of a platform. */
export interface Case {
  name: string
  run(subject: Subject): Promise<void>
}
