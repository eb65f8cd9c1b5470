// Form elements: every input has a label, its help and error are linked to it, and secrets are never echoed in a page.

import type { Field, Questions } from '../../accounts/fields.ts'
import type { Speech } from '../../accounts/words/words.ts'
import { type Html, html } from './html.ts'

/** What is wrong with a field. The detail follows its label, in English. */
export interface FieldFault {
  word: 'required' | 'format' | 'rejected'
  detail?: string
}
export interface Filled {
  values: URLSearchParams
  errors: Readonly<Record<string, FieldFault>>
}
export const empty: Filled = { values: new URLSearchParams(), errors: {} }

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

export function createFormParts({ language, say }: Speech, platform: string) {
  /** Labels and help of a field use the platform's own words, which are English. */
  const foreign = language === 'en' ? undefined : html` lang="en"`
  const sentence = (label: string, { word, detail }: FieldFault) =>
    detail !== undefined && language === 'en' ? `${label} ${detail}.` : say(word, { label, platform })

  function inputOf(field: Field, { values, errors }: Filled): Html {
    const { name, label, help, secret, optional, options } = field
    const wrong = errors[name]
    const described = [help && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ')
    const attributes = html`id="${name}" name="${name}"${!optional && html` required`}${described !== '' && html` aria-describedby="${described}"`}${wrong !== undefined && html` aria-invalid="true"`}`
    const value = secret ? '' : (values.get(name) ?? '')
    const control = options
      ? html`<select ${attributes}><option value="">${say('choose')}</option>${options.map((option) => html`<option${option === value && html` selected`}>${option}</option>`)}</select>`
      : html`<input type="${secret ? 'password' : 'text'}" ${attributes} value="${value}" maxlength="20000" autocomplete="off" autocapitalize="none" spellcheck="false">`
    return html`<div class="field"><label for="${name}">${optional ? say('optional', { label }) : label}</label>${help && html`<p class="help" id="${name}-help"${foreign}>${help}</p>`}
${control}${wrong && html`<p class="wrong" id="${name}-wrong">${sentence(label, wrong)}</p>`}</div>`
  }

  function choiceOf(name: string, label: string, choices: readonly Choice[], { values, errors }: Filled): Html {
    const wrong = errors[name]
    const options = choices.map(
      ({ value, label: words }) =>
        html`<label class="radio"><input type="radio" name="${name}" value="${value}" required${values.get(name) === value && html` checked`}> <span>${words}</span></label>`,
    )
    return html`<fieldset id="${name}"><legend>${label}</legend>${options}${wrong && html`<p class="wrong">${sentence(label, wrong)}</p>`}</fieldset>`
  }

  /** Two entries of which one is for tests are not regions of the world. */
  const regionWord = (regions: Questions['regions']): string =>
    say(regions.length === 2 && regions.some(({ test }) => test) ? 'environment' : 'region')

  function regionOf({ regions, usualRegion }: Questions, { values, errors }: Filled): Html | false {
    if (regions.length === 0) return false
    const chosen = new URLSearchParams(values)
    if (!chosen.get('region') && usualRegion !== undefined) chosen.set('region', String(usualRegion))
    const choices = regions.map(({ label }, index) => ({ value: String(index), label }))
    return choiceOf('region', regionWord(regions), choices, { values: chosen, errors })
  }
  return { inputOf, choiceOf, regionOf, regionWord }
}

export interface Choice {
  value: string
  label: string
}

/** Shown first, and announced to screen readers. */
export const faultOf = (message: string | undefined): Html | false =>
  message !== undefined && html`<div class="bad" role="alert"><p>${message}</p></div>`
