import { Fragment } from 'react'
import type { Active, Links, Sentence } from './links.ts'

/** Describes the conversion between the highlighted fields, also for screen readers. */
export function Words({ active, links, complete }: { active: Active | undefined; links: Links; complete: boolean }) {
  return (
    <div className="words" aria-live="polite">
      {active ? <Told active={active} sentences={links.sentences} complete={complete} /> : <Hint />}
    </div>
  )
}

const Hint = () => (
  <p className="faint words-hint">
    Select a field to see its source.
    <span className="words-keys">
      <kbd>↑</kbd> <kbd>↓</kbd> walk, <kbd>←</kbd> <kbd>→</kbd> fold, <kbd>Enter</kbd> switches sides.
    </span>
  </p>
)

const shown = 3
function Told({ active, sentences, complete }: { active: Active; sentences: readonly Sentence[]; complete: boolean }) {
  if (sentences.length === 0)
    return (
      <p className="soft">
        <Pointer pointer={active.pointer} />{' '}
        {complete ? 'No unified field uses this value.' : 'This record is too large to trace completely.'}
      </p>
    )
  return (
    <>
      {sentences.slice(0, shown).map(({ pointer, words, sources }) => (
        <p key={pointer}>
          <Pointer pointer={pointer} />
          <strong>{words}</strong>
          {sources.length > 0 ? (
            <span className="faint">
              from{' '}
              {sources.slice(0, shown).map((source, index) => (
                <Fragment key={source}>
                  {index > 0 ? ', ' : ''}
                  <Pointer pointer={source} />
                </Fragment>
              ))}
              {sources.length > shown ? ` and ${sources.length - shown} more` : ''}
            </span>
          ) : null}
        </p>
      ))}
      {sentences.length > shown ? <p className="faint">and {sentences.length - shown} more fields</p> : null}
    </>
  )
}

const Pointer = ({ pointer }: { pointer: string }) => (
  <span className="words-pointer">
    {pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}
  </span>
)
