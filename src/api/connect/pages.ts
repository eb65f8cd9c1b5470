// The pages of a link. They work without scripts, on phones, and with screen readers.

import { credentialFields, type Field, type Questions, scopesOf, settingFields } from '../../accounts/fields.ts'
import { inOrder, type Offer, verticalWords } from '../../accounts/offers.ts'
import type { Auth } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'
import { choiceOf, empty, type Filled, faultOf, hidden, inputOf, regionOf, regionWord } from './form-parts.ts'
import { type Html, html, type Page } from './html.ts'

export interface Place {
  base: string // /connect/{token}
  formToken: string
  hasReturn: boolean
}
const cancelLink = ({ base, hasReturn }: Place): Html =>
  html`<p class="quiet"><a href="${base}/cancel">${hasReturn ? 'Cancel and go back' : 'Cancel'}</a></p>`

export function platformsPage(place: Place, offers: readonly Offer[], search: string): Page {
  const query = search.trim().toLowerCase()
  const found = offers.filter(({ connector: { name, id } }) => `${name} ${id}`.toLowerCase().includes(query))
  const groups = inOrder(found.flatMap(({ verticals }) => verticals)).map((vertical) => {
    const entries = found.filter(({ verticals }) => verticals.includes(vertical))
    return html`<h2>${verticalWords[vertical]}</h2><ul class="choices">${entries.map(({ connector: { id, name } }) => html`<li><a href="${place.base}/${id}/${vertical}">${name}</a></li>`)}</ul>`
  })
  const body = html`<h1>Choose your system</h1>
<p>Connect the system that your business uses.</p>
${
  offers.length > 5 &&
  html`<form class="search" method="get" action="${place.base}" role="search"><input type="search" name="q" value="${search}" aria-label="Search systems" placeholder="Search"><button>Search</button></form>`
}
${groups.length > 0 ? groups : html`<p role="status">${offers.length > 0 ? 'No systems match.' : 'No systems are available for this link. Ask the sender for a new one.'}</p>`}
${cancelLink(place)}`
  return { title: 'Connect your business', body }
}

export function verticalsPage(place: Place, { connector, verticals }: Offer): Page {
  const body = html`<h1>${connector.name}</h1><p>What do you use it for?</p>
<ul class="choices">${verticals.map((vertical) => html`<li><a href="${place.base}/${connector.id}/${vertical}">${verticalWords[vertical]}</a></li>`)}</ul>${cancelLink(place)}`
  return { title: `Connect ${connector.name}`, body }
}

export interface Step {
  place: Place
  offer: Offer
  vertical: Vertical
  method: Auth
  questions: Questions
}
const addressOf = ({ place, offer, vertical }: Step) => `${place.base}/${offer.connector.id}/${vertical}`
const otherMethods = (step: Step): Html | false => {
  const others = step.offer.methods.filter((method) => method !== step.method)
  return (
    others.length > 0 &&
    html`<p class="quiet">${others.map((method) => html`<a href="${addressOf(step)}?method=${method.kind}">${method.kind === 'oauth2' ? 'Sign in instead' : `Use ${method.title ?? method.kind}`}</a> `)}</p>`
  )
}
const settingInputs = (questions: Questions, filled: Filled): Html =>
  html`${regionOf(questions, filled)}${questions.required.map((field) => inputOf(field, filled))}`

/** Asks for the settings that form the platform's address. */
export function settingsPage(step: Step, filled: Filled): Page {
  const { name } = step.offer.connector
  const wrong = Object.keys(filled.errors).length > 0
  const body = html`<h1>Connect ${name}</h1>${faultOf(wrong ? 'Check the fields below.' : undefined)}
<form method="get" action="${addressOf(step)}">${hidden('method', step.method.kind)}${hidden('answered', '1')}${settingInputs(step.questions, filled)}<button>Continue</button></form>
${otherMethods(step)}${cancelLink(step.place)}`
  return { title: `Connect ${name}`, body, status: wrong ? 422 : undefined }
}

/** Links to the regions that do not apply without a choice, and the name of the chosen one. */
function regionLinks(step: Step, typed: URLSearchParams): Html | false {
  const { regions, usualRegion } = step.questions
  if (usualRegion === undefined) return false
  const current = Number(typed.get('region') || usualRegion)
  const others = regions.flatMap(({ label }, index) =>
    index === current
      ? []
      : [html`<a href="${addressOf(step)}?method=oauth2&region=${String(index)}">Use ${label}</a> `],
  )
  return html`${current !== usualRegion && html`<p>${regionWord(regions)}: ${regions[current]?.label}</p>`}<p class="quiet">${others}</p>`
}

/** The page whose form redirects to the platform. */
export function authorizePage(step: Step, typed: URLSearchParams, origin: string): Page {
  const { name } = step.offer.connector
  const names = [
    ...step.questions.required.map((field) => field.name),
    ...(step.questions.regions.length > 0 ? ['region'] : []),
  ]
  const scopes = scopesOf(step.offer.connector, step.method, step.offer.fixed)
  const body = html`<h1>Connect ${name}</h1>
<p>Sign in to ${name} and approve the connection. We never see your password.</p>
${scopes.length > 0 && html`<details><summary>Requested permissions</summary><p class="help">${scopes.join(', ')}</p></details>`}
<form method="post" action="${addressOf(step)}">${hidden('csrf', step.place.formToken)}${hidden('method', 'oauth2')}${names.map((field) => hidden(field, typed.get(field) ?? ''))}
<button>Continue to ${name}</button></form>${regionLinks(step, typed)}${otherMethods(step)}${cancelLink(step.place)}`
  return { title: `Connect ${name}`, body, formTargets: [origin] }
}

export interface Fault {
  message: string
  errors: readonly Violation[]
}
/** Asks for keys, with the platform's own labels. */
export function keysPage(step: Step, filled: Filled, fault: Fault | undefined, returnOrigin: string | undefined): Page {
  const { connector } = step.offer
  const { required, optional } = step.questions
  const shown = new Set([...required, ...optional].map(({ name }) => name))
  // Also asks for settings that the platform's response showed to be missing.
  const more = (fault?.errors ?? []).flatMap(({ pointer, choices }) => {
    const field = settingFields(connector).find(({ name }) => pointer === `/settings/${name}` && !shown.has(name))
    return field
      ? [
          choices?.length
            ? choiceOf(field.name, field.label, choices, filled)
            : inputOf({ ...field, optional: false }, filled),
        ]
      : []
  })
  const body = html`<h1>Connect ${connector.name}</h1>${faultOf(fault?.message)}
<p>Enter your ${connector.name} ${step.method.title ?? 'credentials'}. Your input is encrypted and never shown again.</p>
<form method="post" action="${addressOf(step)}" autocomplete="off">${hidden('csrf', step.place.formToken)}${hidden('method', step.method.kind)}
${settingInputs(step.questions, filled)}${more}${credentialFields(step.method).map((field) => inputOf(field, filled))}
${optional.length > 0 && html`<details><summary>More settings</summary>${optional.map((field: Field) => inputOf(field, filled))}</details>`}
<button>Connect</button></form>${otherMethods(step)}${cancelLink(step.place)}`
  return {
    title: `Connect ${connector.name}`,
    body,
    status: fault ? 422 : undefined,
    formTargets: returnOrigin ? [returnOrigin] : undefined,
  }
}

/** The authorization covers more than one business, or a setting is still open. */
export function questionsPage(
  place: Place,
  { connector }: Pick<Offer, 'connector'>,
  questions: readonly Violation[],
  fault: string | undefined,
  returnOrigin: string | undefined,
): Page {
  const fields = settingFields(connector)
  const inputs = questions.flatMap(({ pointer, choices }) => {
    const field = fields.find(({ name }) => pointer === `/settings/${name}`)
    if (!field) return []
    return [
      choices?.length
        ? choiceOf(field.name, field.label, choices, empty)
        : inputOf({ ...field, optional: false }, empty),
    ]
  })
  const body = html`<h1>One more step</h1>${faultOf(fault)}<p>${connector.name} approved the connection. Choose what to connect.</p>
<form method="post" action="${place.base}/choose">${hidden('csrf', place.formToken)}${inputs}<button>Connect</button></form>${cancelLink(place)}`
  return {
    title: `Connect ${connector.name}`,
    body,
    status: fault ? 422 : undefined,
    formTargets: returnOrigin ? [returnOrigin] : undefined,
  }
}

export const donePage = (
  name: string,
  back: string | undefined,
  { twice, test }: { twice: boolean; test: boolean },
): Page => ({
  title: 'Connected',
  body: html`<h1 class="good">Connected</h1><p>${name} is connected. ${back === undefined && 'You can close this window.'}</p>
${test && html`<p>This is a test environment of ${name}, not a real business.</p>`}${twice && html`<p>This business was already connected. Both connections share the number of calls that ${name} allows. If you do not need both, ask to have one removed.</p>`}
${back !== undefined && html`<a class="button" href="${back}">Go back</a>`}`,
})

export interface Ending {
  title: string
  message: string
  status: number
  retry?: string
  back?: string | undefined
}
export const endingPage = ({ title, message, status, retry, back }: Ending): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1><p>${message}</p>${retry !== undefined && html`<a class="button" href="${retry}">Try again</a>`}
${back !== undefined && html`<p class="quiet"><a href="${back}">Go back without connecting</a></p>`}`,
})
