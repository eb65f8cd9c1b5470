// Form elements: every input has a label, its help and error are linked to it, and secrets are never echoed in a page.

import type { Field, Questions } from '../../accounts/fields.ts'
import { type Html, html } from './html.ts'

export interface Filled {
  values: URLSearchParams
  errors: Readonly<Record<string, string>>
}
export const empty: Filled = { values: new URLSearchParams(), errors: {} }

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

export function inputOf(field: Field, { values, errors }: Filled): Html {
  const { name, label, help, secret, optional, options } = field
  const wrong = errors[name]
  const described = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ')
  const attributes = html`id="${name}" name="${name}"${!optional && html` required`}${described !== '' && html` aria-describedby="${described}"`}${wrong !== undefined && html` aria-invalid="true"`}`
  const value = secret ? '' : (values.get(name) ?? '')
  const control = options
    ? html`<select ${attributes}><option value="">Choose</option>${options.map((option) => html`<option${option === value && html` selected`}>${option}</option>`)}</select>`
    : html`<input type="${secret ? 'password' : 'text'}" ${attributes} value="${value}" maxlength="20000" autocomplete="off" autocapitalize="none" spellcheck="false">`
  return html`<div class="field"><label for="${name}">${label}${optional && ' (optional)'}</label>${help && html`<p class="help" id="${name}-help">${help}</p>`}
${control}${wrong && html`<p class="wrong" id="${name}-wrong">${label} ${wrong}.</p>`}</div>`
}

export interface Choice {
  value: string
  label: string
}
export function choiceOf(name: string, label: string, choices: readonly Choice[], { values, errors }: Filled): Html {
  const wrong = errors[name]
  const options = choices.map(
    ({ value, label: words }) =>
      html`<label class="radio"><input type="radio" name="${name}" value="${value}" required${values.get(name) === value && html` checked`}> <span>${words}</span></label>`,
  )
  return html`<fieldset id="${name}"><legend>${label}</legend>${options}${wrong && html`<p class="wrong">${label} ${wrong}.</p>`}</fieldset>`
}

export function regionOf({ regions, usualRegion }: Questions, { values, errors }: Filled): Html | false {
  if (regions.length === 0) return false
  const chosen = new URLSearchParams(values)
  if (!chosen.get('region') && usualRegion !== undefined) chosen.set('region', String(usualRegion))
  const choices = regions.map(({ label }, index) => ({ value: String(index), label }))
  return choiceOf('region', regionWord(regions), choices, { values: chosen, errors })
}
/** Two entries of which one is for tests are not regions of the world. */
export const regionWord = (regions: Questions['regions']): string =>
  regions.length === 2 && regions.some(({ test }) => test) ? 'Environment' : 'Region'

/** Shown first, and announced to screen readers. */
export const faultOf = (message: string | undefined): Html | false =>
  message !== undefined && html`<div class="bad" role="alert"><p>${message}</p></div>`
