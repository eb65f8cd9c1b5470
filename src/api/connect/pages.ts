// The pages of a link. They work without any script, on a phone and with a screen reader.
import type { Auth } from '../../contract/connector.ts'
import type { Vertical } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'
import { credentialFields, type Field, type Questions, scopesOf, settingFields } from './fields.ts'
import { choiceOf, empty, type Filled, faultOf, hidden, inputOf, regionOf } from './form-parts.ts'
import { type Html, html, type Page } from './html.ts'
import { inOrder, type Offer, verticalWords } from './offers.ts'

export interface Place {
  base: string // /connect/{token}
  formToken: string
  hasReturn: boolean
}
const waysOut = ({ base, hasReturn }: Place): Html => html`<p class="quiet"><a href="${base}/cancel">${hasReturn ? 'Cancel and go back' : 'Cancel'}</a></p>`

export function platformsPage(place: Place, offers: readonly Offer[], search: string): Page {
  const wanted = search.trim().toLowerCase()
  const found = offers.filter(({ connector: { name, id } }) => `${name} ${id}`.toLowerCase().includes(wanted))
  const groups = inOrder(found.flatMap(({ verticals }) => verticals)).map((vertical) => {
    const entries = found.filter(({ verticals }) => verticals.includes(vertical))
    return html`<h2>${verticalWords[vertical]}</h2><ul class="choices">${entries.map(({ connector: { id, name } }) => html`<li><a href="${place.base}/${id}/${vertical}">${name}</a></li>`)}</ul>`
  })
  const body = html`<h1>Which system do you use?</h1>
<p>Choose it to connect your business.</p>
${
  offers.length > 5 &&
  html`<form class="search" method="get" action="${place.base}" role="search"><input type="search" name="q" value="${search}" aria-label="Find a system by name" placeholder="Find by name"><button>Find</button></form>`
}
${groups.length > 0 ? groups : html`<p role="status">${offers.length > 0 ? 'No system has this name.' : 'There is nothing here that could be connected. Ask whoever sent you the link.'}</p>`}
${waysOut(place)}`
  return { title: 'Connect your business', body }
}

export function verticalsPage(place: Place, { connector, verticals }: Offer): Page {
  const body = html`<h1>${connector.name}</h1><p>What do you use it for?</p>
<ul class="choices">${verticals.map((vertical) => html`<li><a href="${place.base}/${connector.id}/${vertical}">${verticalWords[vertical]}</a></li>`)}</ul>${waysOut(place)}`
  return { title: `Connect ${connector.name}`, body }
}

export interface Step {
  place: Place
  offer: Offer
  vertical: Vertical
  way: Auth
  questions: Questions
}
const addressOf = ({ place, offer, vertical }: Step) => `${place.base}/${offer.connector.id}/${vertical}`
const otherWays = (step: Step): Html | false => {
  const others = step.offer.ways.filter((way) => way !== step.way)
  return (
    others.length > 0 &&
    html`<p class="quiet">${others.map((way) => html`<a href="${addressOf(step)}?way=${way.kind}">${way.kind === 'oauth2' ? 'Authorise instead' : `Use instead: ${way.title ?? way.kind}`}</a> `)}</p>`
  )
}
const settingInputs = ({ regions, required }: Questions, filled: Filled): Html => html`${regionOf(regions, filled)}${required.map((field) => inputOf(field, filled))}`

/** What the platform's address is made of, before anybody can be sent there. */
export function settingsPage(step: Step, filled: Filled): Page {
  const { name } = step.offer.connector
  const wrong = Object.keys(filled.errors).length > 0
  const body = html`<h1>Connect ${name}</h1>${faultOf(wrong ? 'Please check the fields below.' : undefined)}
<form method="get" action="${addressOf(step)}">${hidden('way', step.way.kind)}${hidden('answered', '1')}${settingInputs(step.questions, filled)}<button>Continue</button></form>
${otherWays(step)}${waysOut(step.place)}`
  return { title: `Connect ${name}`, body, ...(wrong ? { status: 422 } : {}) }
}

/** The one page whose form leads to the platform. */
export function authorizePage(step: Step, typed: URLSearchParams, origin: string): Page {
  const { name } = step.offer.connector
  const names = [...step.questions.required.map((field) => field.name), ...(step.questions.regions.length > 0 ? ['region'] : [])]
  const scopes = scopesOf(step.way)
  const body = html`<h1>Connect ${name}</h1>
<p>You go to ${name} now, log in there and agree. Your password stays there.</p>
${scopes.length > 0 && html`<details><summary>What is asked for</summary><p class="help">${scopes.join(', ')}</p></details>`}
<form method="post" action="${addressOf(step)}">${hidden('csrf', step.place.formToken)}${hidden('way', 'oauth2')}${names.map((field) => hidden(field, typed.get(field) ?? ''))}
<button>Continue to ${name}</button></form>${otherWays(step)}${waysOut(step.place)}`
  return { title: `Connect ${name}`, body, formTargets: [origin] }
}

export interface Fault {
  message: string
  errors: readonly Violation[]
}
/** Keys, in the platform's own words. */
export function keysPage(step: Step, filled: Filled, fault: Fault | undefined, returnOrigin: string | undefined): Page {
  const { connector } = step.offer
  const { required, optional } = step.questions
  const shown = new Set([...required, ...optional].map(({ name }) => name))
  // What only the platform's answer showed to be missing is asked as well.
  const more = (fault?.errors ?? []).flatMap(({ pointer, choices }) => {
    const field = settingFields(connector).find(({ name }) => pointer === `/settings/${name}` && !shown.has(name))
    return field ? [choices?.length ? choiceOf(field.name, field.label, choices, filled) : inputOf({ ...field, optional: false }, filled)] : []
  })
  const body = html`<h1>Connect ${connector.name}</h1>${faultOf(fault?.message)}
<p>You need your ${step.way.title ?? 'credentials'} there. What you type is kept encrypted and never shown again.</p>
<form method="post" action="${addressOf(step)}" autocomplete="off">${hidden('csrf', step.place.formToken)}${hidden('way', step.way.kind)}
${settingInputs(step.questions, filled)}${more}${credentialFields(step.way).map((field) => inputOf(field, filled))}
${optional.length > 0 && html`<details><summary>More settings</summary>${optional.map((field: Field) => inputOf(field, filled))}</details>`}
<button>Connect</button></form>${otherWays(step)}${waysOut(step.place)}`
  return { title: `Connect ${connector.name}`, body, ...(fault ? { status: 422 } : {}), ...(returnOrigin ? { formTargets: [returnOrigin] } : {}) }
}

/** The platform agreed to more than one business, or left something open. */
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
    return [choices?.length ? choiceOf(field.name, field.label, choices, empty) : inputOf({ ...field, optional: false }, empty)]
  })
  const body = html`<h1>One more question</h1>${faultOf(fault)}<p>${connector.name} has agreed. Which of these should be connected?</p>
<form method="post" action="${place.base}/choose">${hidden('csrf', place.formToken)}${inputs}<button>Connect</button></form>${waysOut(place)}`
  return { title: `Connect ${connector.name}`, body, ...(fault ? { status: 422 } : {}), ...(returnOrigin ? { formTargets: [returnOrigin] } : {}) }
}

export const donePage = (name: string, back: string | undefined): Page => ({
  title: 'Connected',
  body: html`<h1 class="good">Connected</h1><p>${name} is connected and works. ${back === undefined && 'You can close this window.'}</p>
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
