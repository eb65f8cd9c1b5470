import { useSyncExternalStore } from 'react'
import { type CallerRequest, codeOf, type Language, languages } from '../request-code.ts'
import { usePublicUrl } from '../session.ts'
import { CopyButton } from './identifier.tsx'
import './request-code.css'

const key = 'language'
/** One choice for all requests, in this visit and the next. */
function useLanguage(): Language {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  return languages.find((language) => language === stored) ?? 'curl'
}
function subscribe(changed: () => void): () => void {
  addEventListener('storage', changed)
  return () => removeEventListener('storage', changed)
}
function choose(language: Language): void {
  localStorage.setItem(key, language)
  dispatchEvent(new Event('storage'))
}

/** A request as a program to copy, in the language of the reader. `short`: shows one line of it, and copies all. */
export function RequestCode({ request, short = false }: { request: CallerRequest; short?: boolean }) {
  const language = useLanguage()
  const publicUrl = usePublicUrl()
  const code = codeOf(language, request, publicUrl)
  if (!code) return null
  return (
    <div className="request-code">
      <div className="request-code-bar">
        <fieldset className="request-code-languages">
          <legend className="unseen">Language</legend>
          {languages.map((name) => (
            <button key={name} type="button" aria-pressed={name === language} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <span className="request-code-variables">
          reads <code>{code.variables.join(', ')}</code>
        </span>
        <CopyButton key={language} text={code.text} label={`Copy as ${language}`} />
      </div>
      {short ? (
        <code className="request-code-line">{code.line}</code>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <pre tabIndex={0}>
          <code>{code.text}</code>
        </pre>
      )}
    </div>
  )
}
