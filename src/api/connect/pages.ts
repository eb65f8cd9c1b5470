// The pages of a link. They work without scripts, on phones, and with screen readers.

import { credentialFields, type Field, type Questions, scopesOf, settingFields } from '../../accounts/fields.ts'
import { inOrder, type Offer } from '../../accounts/offers.ts'
import type { SandboxKeys } from '../../accounts/sandbox-keys.ts'
import type { Message, Say, Speech, Word } from '../../accounts/words/words.ts'
import type { Auth, Connector } from '../../contract/connector.ts'
import type { EntityType, Vertical } from '../../contract/entity.ts'
import type { Violation } from '../../contract/errors.ts'
import { platformSupport } from '../../engine/support.ts'
import { createFormParts, empty, type Filled, faultOf, hidden } from './form-parts.ts'
import { type Brand, Html, html, type Page } from './html.ts'
import { platformLogos } from './platform-logos.ts'

export interface PageContext {
  base: string // /connect/{token}
  formToken: string
  hasReturn: boolean
  speech: Speech
  brand: Brand
  used: ReadonlySet<EntityType>
}
const cancelLink = ({ base, hasReturn, speech: { say } }: PageContext): Html =>
  html`<p class="quiet"><a href="${base}/cancel">${say(hasReturn ? 'cancelAndReturn' : 'cancel')}</a></p>`

/** The logo of a platform, or its initials. */
function markOf({ id, name }: Pick<Connector, 'id' | 'name'>): Html {
  const path = platformLogos[id]
  const initials = name.replaceAll(/[^A-Z]/g, '').slice(0, 2)
  return html`<span class="mark" aria-hidden="true">${path ? new Html(`<svg viewBox="0 0 24 24"><path d="${path}"/></svg>`) : initials}</span>`
}
export const titleOf = (connector: Connector, title: string): Html =>
  html`<div class="title">${markOf(connector)}<h1>${title}</h1></div>`

export function sharedData(
  { speech: { language, say }, used }: PageContext,
  connector: Connector,
  vertical: Vertical,
): string {
  const offered = Object.keys(platformSupport(connector).entities[vertical] ?? {}) as EntityType[]
  const entities = offered.filter((type) => used.has(type))
  return new Intl.ListFormat(language).format(entities.map((entity) => say(entity)))
}
/** Who asks, why, and for which data. */
function requestOf({ place, offer: { connector }, vertical }: MethodPage): Html {
  const { brand, speech } = place
  const list = sharedData(place, connector, vertical)
  return html`<p>${speech.say('asksFor', { owner: brand.name, platform: connector.name })}</p>${purposeOf(brand, speech.say)}<p>${speech.say('shared', { list })}</p>`
}
const purposeOf = ({ purpose }: Brand, say: Say): Html | undefined =>
  purpose === undefined ? undefined : html`<p>${say('purpose', { purpose })}</p>`

export function platformsPage(place: PageContext, offers: readonly Offer[], search: string): Page {
  const { say } = place.speech
  const query = search.trim().toLowerCase()
  const found = offers.filter(({ connector: { name, id } }) => `${name} ${id}`.toLowerCase().includes(query))
  const groups = inOrder(found.flatMap(({ verticals }) => verticals)).map((vertical) => {
    const entries = found.filter(({ verticals }) => verticals.includes(vertical))
    return html`<h2>${say(vertical)}</h2><ul class="choices">${entries.map(({ connector }) => html`<li><a href="${place.base}/${connector.id}/${vertical}">${markOf(connector)}${connector.name}</a></li>`)}</ul>`
  })
  const body = html`<h1>${say('chooseSystem')}</h1>
<p>${say('asks', { owner: place.brand.name })}</p>${purposeOf(place.brand, say)}
${
  offers.length > 5 &&
  html`<form class="search" method="get" action="${place.base}" role="search"><input type="search" name="q" value="${search}" aria-label="${say('searchSystems')}" placeholder="${say('search')}"><button>${say('search')}</button></form>`
}
${groups.length > 0 ? groups : html`<p role="status">${say(offers.length > 0 ? 'noMatch' : 'noSystem')}</p>`}
${cancelLink(place)}`
  return { title: say('connectBusiness'), body }
}

export function verticalsPage(place: PageContext, { connector, verticals }: Offer): Page {
  const { say } = place.speech
  const body = html`${titleOf(connector, connector.name)}<p>${say('usedFor')}</p>
<ul class="choices">${verticals.map((vertical) => html`<li><a href="${place.base}/${connector.id}/${vertical}">${say(vertical)}</a></li>`)}</ul>${cancelLink(place)}`
  return { title: say('connectPlatform', { platform: connector.name }), body }
}

export interface MethodPage {
  place: PageContext
  offer: Offer
  vertical: Vertical
  method: Auth
  questions: Questions
  keys?: SandboxKeys | undefined // of the simulated business
}
const addressOf = ({ place, offer, vertical }: MethodPage) => `${place.base}/${offer.connector.id}/${vertical}`
const otherMethods = (step: MethodPage): Html | false => {
  const others = step.offer.methods.filter((method) => method !== step.method)
  return (
    others.length > 0 &&
    html`<p class="quiet">${others.map((method) => html`<a href="${addressOf(step)}?method=${method.kind}">${method.kind === 'oauth2' ? step.place.speech.say('signInInstead') : step.place.speech.say('use', { name: method.title ?? method.kind })}</a> `)}</p>`
  )
}
const partsOf = ({ place, offer }: MethodPage) => createFormParts(place.speech, offer.connector.name)
const settingInputs = (step: MethodPage, filled: Filled): Html => {
  const { regionOf, inputOf } = partsOf(step)
  return html`${regionOf(step.questions, filled)}${step.questions.required.map((field) => inputOf(field, filled))}`
}
const pageTitle = ({ place, offer }: MethodPage) =>
  place.speech.say('connectPlatform', { platform: offer.connector.name })

/** Asks for the settings that form the platform's address. */
export function settingsPage(step: MethodPage, filled: Filled): Page {
  const { say } = step.place.speech
  const wrong = Object.keys(filled.errors).length > 0
  const body = html`${titleOf(step.offer.connector, pageTitle(step))}${faultOf(wrong ? say('checkFields') : undefined)}${requestOf(step)}
<form method="get" action="${addressOf(step)}">${hidden('method', step.method.kind)}${hidden('answered', '1')}${settingInputs(step, filled)}<button>${say('continue')}</button></form>
${otherMethods(step)}${cancelLink(step.place)}`
  return { title: pageTitle(step), body, status: wrong ? 422 : undefined }
}

/** Links to the regions that do not apply without a choice, and the name of the chosen one. */
function regionLinks(step: MethodPage, typed: URLSearchParams): Html | false {
  const { regions, usualRegion } = step.questions
  const { say } = step.place.speech
  if (usualRegion === undefined) return false
  const current = Number(typed.get('region') || usualRegion)
  const others = regions.flatMap(({ label }, index) =>
    index === current
      ? []
      : [html`<a href="${addressOf(step)}?method=oauth2&region=${String(index)}">${say('use', { name: label })}</a> `],
  )
  return html`${current !== usualRegion && html`<p>${say('regionChosen', { label: partsOf(step).regionWord(regions), region: regions[current]?.label ?? '' })}</p>`}<p class="quiet">${others}</p>`
}

/** The page whose form redirects to the platform. */
export function authorizePage(step: MethodPage, typed: URLSearchParams, origin: string): Page {
  const { say } = step.place.speech
  const platform = step.offer.connector.name
  const names = [
    ...step.questions.required.map((field) => field.name),
    ...(step.questions.regions.length > 0 ? ['region'] : []),
  ]
  const scopes = scopesOf(step.offer.connector, step.method, step.offer.fixed)
  const body = html`${titleOf(step.offer.connector, pageTitle(step))}${requestOf(step)}
<p>${say('signIn', { platform })}</p>
${scopes.length > 0 && html`<details><summary>${say('permissions')}</summary><p class="help">${scopes.join(', ')}</p></details>`}
<form method="post" action="${addressOf(step)}">${hidden('csrf', step.place.formToken)}${hidden('method', 'oauth2')}${names.map((field) => hidden(field, typed.get(field) ?? ''))}
<button>${say('continueTo', { platform })}</button></form>${regionLinks(step, typed)}${otherMethods(step)}${cancelLink(step.place)}`
  return { title: pageTitle(step), body, formTargets: [origin] }
}

export interface Fault {
  message: string
  errors: readonly Violation[]
}
/** Asks for keys, with the platform's own labels. */
export function keysPage(
  step: MethodPage,
  filled: Filled,
  fault: Fault | undefined,
  returnOrigin: string | undefined,
): Page {
  const { connector } = step.offer
  const { required, optional } = step.questions
  const { say } = step.place.speech
  const { inputOf, choiceOf } = partsOf(step)
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
  const method = step.method.title ?? say('credentials')
  const body = html`${titleOf(connector, pageTitle(step))}${faultOf(fault?.message)}${requestOf(step)}
<p>${say('enterKeys', { platform: connector.name, method })}</p>
<form method="post" action="${addressOf(step)}" autocomplete="off">${hidden('csrf', step.place.formToken)}${hidden('method', step.method.kind)}
${settingInputs(step, filled)}${more}${credentialFields(step.method).map((field) => inputOf(field, filled))}
${optional.length > 0 && html`<details><summary>${say('moreSettings')}</summary>${optional.map((field: Field) => inputOf(field, filled))}</details>`}
<button>${say('connect')}</button>${step.keys && html`<button class="second" name="sandbox" value="1" formnovalidate>${say('sandboxKeys')}</button>`}</form>${otherMethods(step)}${cancelLink(step.place)}`
  return {
    title: pageTitle(step),
    body,
    status: fault ? 422 : undefined,
    formTargets: returnOrigin ? [returnOrigin] : undefined,
  }
}

/** The authorization covers more than one business, or a setting is still open. */
export function questionsPage(
  place: PageContext,
  { connector }: Pick<Offer, 'connector'>,
  questions: readonly Violation[],
  fault: string | undefined,
  returnOrigin: string | undefined,
): Page {
  const { say } = place.speech
  const { inputOf, choiceOf } = createFormParts(place.speech, connector.name)
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
  const body = html`<h1>${say('oneMore')}</h1>${faultOf(fault)}<p>${say('approvedChoose', { platform: connector.name })}</p>
<form method="post" action="${place.base}/choose">${hidden('csrf', place.formToken)}${inputs}<button>${say('connect')}</button></form>${cancelLink(place)}`
  return {
    title: say('connectPlatform', { platform: connector.name }),
    body,
    status: fault ? 422 : undefined,
    formTargets: returnOrigin ? [returnOrigin] : undefined,
  }
}

export const donePage = (
  { say }: Speech,
  platform: string,
  back: string | undefined,
  { twice, test }: { twice: boolean; test: boolean },
): Page => ({
  title: say('connected'),
  body: html`<h1 class="good">${say('connected')}</h1><p>${say('isConnected', { platform })} ${back === undefined && say('closeWindow')}</p>
${test && html`<p>${say('isTest', { platform })}</p>`}${twice && html`<p>${say('twice', { platform })}</p>`}
${back !== undefined && html`<a class="button" href="${back}">${say('goBack')}</a>`}`,
})

export interface Ending {
  title: Word
  message: Message
  status: number
  retry?: string
  back?: string | undefined
}
export const endingPage = (speech: Speech, { title, message, status, retry, back }: Ending): Page => ({
  title: speech.say(title),
  status,
  body: html`<h1>${speech.say(title)}</h1><p>${textOf(speech, message)}</p>${retry !== undefined && html`<a class="button" href="${retry}">${speech.say('tryAgain')}</a>`}
${back !== undefined && html`<p class="quiet"><a href="${back}">${speech.say('goBackWithout')}</a></p>`}`,
})
export const textOf = ({ language, say }: Speech, { word, values, detail }: Message): string =>
  detail !== undefined && language === 'en' ? detail : say(word, values)
