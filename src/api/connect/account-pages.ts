// The page where a customer sees, reconnects and ends their connection.
import type { Word } from '../../accounts/words/words.ts'
import type { Connector } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import { hidden } from './form-parts.ts'
import { html, type Page } from './html.ts'
import { type PageContext, sharedData, titleOf } from './pages.ts'

const states: Readonly<Record<Account['state'], Word>> = {
  active: 'stateActive',
  disabled: 'stateDisabled',
  reconnect_required: 'stateReconnect',
}

export function accountPage(place: PageContext, account: Account, connector: Connector, ended: boolean): Page {
  const { say, language } = place.speech
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(account.createdAt))
  const platform = connector.name
  const body = html`${titleOf(connector, account.name)}
${ended ? html`<p role="status">${say('ended')}. ${say('endedMore', { platform })}</p>` : html`<p>${say('canAccess', { owner: place.brand.name, platform })}</p><p>${say('shared', { list: sharedData(place, connector, account.vertical) })}</p>`}
<p>${say('accountState', { state: say(ended ? 'ended' : states[account.state]) })} ${say('since', { date })}</p>
<form method="post" action="${place.base}/reconnect">${hidden('csrf', place.formToken)}<button>${say('reconnect')}</button></form>
${!ended && html`<p class="quiet"><a href="${place.base}/end">${say('endConnection')}</a></p>`}`
  return { title: say('yourConnection'), body }
}

export function endPage(place: PageContext, { name: platform }: Connector): Page {
  const { say } = place.speech
  const body = html`<h1>${say('endQuestion', { platform })}</h1><p>${say('endConsequence', { owner: place.brand.name, platform })}</p>
<form method="post" action="${place.base}/end">${hidden('csrf', place.formToken)}<button>${say('endConnection')}</button></form>
<p class="quiet"><a href="${place.base}">${say('keepConnection')}</a></p>`
  return { title: say('endConnection'), body }
}
