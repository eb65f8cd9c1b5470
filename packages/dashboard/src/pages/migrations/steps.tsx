import { Link } from 'wouter'
import { Check } from '../../lucide/icons.tsx'
import './migrations.css'

export const stepNames = ['Accounts', 'Plan', 'Run', 'Report'] as const
export type StepName = (typeof stepNames)[number]

/** Where one is in the wizard. Steps with an address can be opened. */
export function Steps({
  shown,
  reached,
  ended = false,
  hrefOf,
}: {
  shown: StepName
  /** The last one that has begun. */
  reached: StepName
  /** Nothing is left to do. */
  ended?: boolean
  hrefOf?(step: StepName): string | undefined
}) {
  const last = stepNames.indexOf(reached)
  return (
    <nav aria-label="Steps of the migration">
      <ol className="wizard-steps">
        {stepNames.map((name, index) => {
          const href = index <= last && name !== shown ? hrefOf?.(name) : undefined
          return (
            <li key={name} className="wizard-step" aria-current={name === shown ? 'step' : undefined}>
              <span className="wizard-step-mark" aria-hidden>
                {index < last || (ended && index === last) ? <Check size={14} /> : index + 1}
              </span>
              {href ? <Link href={href}>{name}</Link> : name}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
