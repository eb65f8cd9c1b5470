// The settings of an endpoint, for a new one and for one that exists.

import { useState } from 'react'
import type { ApiError } from '../../api.ts'
import { AccountPicker } from '../../components/account-picker.tsx'
import { Button, IconButton, LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Checkbox, Select, TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import * as limits from '../../generated/limits.ts'
import { X } from '../../lucide/icons.tsx'
import type { WebhookEndpoint, WebhookSettings } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { EventChoice } from './event-choice.tsx'
import { type Choice, choiceOf, notificationEvents, patternsOf, typesIn } from './events.ts'

interface EndpointFormProps {
  /** Absent: a new one. */
  endpoint?: WebhookEndpoint
  first?: Choice
  submit: string
  cancel: string
  onSave(settings: WebhookSettings): Promise<void>
}

const defaultConcurrency = 8
const { concurrency: concurrencyLimits } = limits.createWebhookEndpoint

export function EndpointForm({ endpoint, first = 'all', submit, cancel, onSave }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [choice, setChoice] = useState<Choice>(endpoint ? choiceOf(endpoint.events) : first)
  const [types, setTypes] = useState(() => typesIn(endpoint && !endpoint.events.includes('*') ? endpoint.events : []))
  const [accounts, setAccounts] = useState<readonly string[]>(endpoint?.accounts ?? [])
  const [data, setData] = useState<string>(endpoint?.data ?? 'full')
  const [format, setFormat] = useState<string>(endpoint?.format ?? 'standard')
  const [coalesce, setCoalesce] = useState(endpoint?.coalesce ?? false)
  const [concurrency, setConcurrency] = useState(String(endpoint?.concurrency ?? defaultConcurrency))
  const [perSecond, setPerSecond] = useState(endpoint?.perSecond ? String(endpoint.perSecond) : '')
  const events = choice === 'all' ? ['*'] : choice === 'notifications' ? [...notificationEvents] : patternsOf(types)
  const save = useAction(() =>
    onSave({
      url: url.trim(),
      events,
      accounts: [...accounts],
      description: description.trim(),
      data: data === 'thin' ? 'thin' : 'full',
      format: format === 'cloudevents' ? 'cloudevents' : 'standard',
      coalesce,
      concurrency: Number(concurrency || defaultConcurrency),
      perSecond: Number(perSecond || 0),
    }),
  )
  const faultAt = (pointer: string) => faultIn(save.error, pointer)
  const add = (accountId: string) => setAccounts([...accounts.filter((id) => id !== accountId), accountId])
  return (
    <form
      className="stack webhook-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <Section title="Receiver">
        <div className="stack">
          <TextField
            label="URL"
            type="url"
            inputMode="url"
            mono
            required
            value={url}
            onChange={setUrl}
            {...limits.createWebhookEndpoint.url}
            autoComplete="off"
            placeholder="https://example.com/hooks"
            hint="Receives each event as a signed POST request. An https URL; in the sandbox also http on localhost."
            error={faultAt('/url')}
          />
          <TextField
            label="Description"
            value={description}
            onChange={setDescription}
            {...limits.createWebhookEndpoint.description}
            placeholder="Optional, such as Inventory sync"
            error={faultAt('/description')}
          />
        </div>
      </Section>
      <Section
        title="Events"
        about="Changes are reported for watched entities. Set what is watched under Settings or on the Changes tab of an account."
      >
        <EventChoice choice={choice} types={types} error={faultAt('/events')} onChoose={setChoice} onTypes={setTypes} />
      </Section>
      <Section title="Accounts" about="By default, an endpoint receives events of all accounts.">
        <div className="stack-small webhook-narrow">
          {accounts.length > 0 ? (
            <ul className="webhook-accounts" aria-label="Only events of these accounts">
              {accounts.map((id) => (
                <li key={id}>
                  <span className="mono">{id}</span>
                  <IconButton
                    icon={X}
                    label={`Remove ${id}`}
                    onClick={() => setAccounts(accounts.filter((one) => one !== id))}
                  />
                </li>
              ))}
            </ul>
          ) : null}
          <AccountPicker accountId="" name="" label="Limit to an account" onChoose={add} />
          {faultAt('/accounts') ? <div className="field-error">{faultAt('/accounts')}</div> : null}
        </div>
      </Section>
      <Section title="Delivery">
        <div className="stack">
          <div className="columns">
            <Select
              label="Data"
              value={data}
              choices={[
                { value: 'full', label: 'Full: with the record' },
                { value: 'thin', label: 'Thin: IDs only' },
              ]}
              hint="With thin data, your receiver reads the record itself."
              onChange={setData}
            />
            <Select
              label="Format"
              value={format}
              choices={[
                { value: 'standard', label: 'Standard' },
                { value: 'cloudevents', label: 'CloudEvents 1.0' },
              ]}
              hint="The form of the body. The signature is the same."
              onChange={setFormat}
            />
            <TextField
              label="Concurrent requests"
              type="number"
              {...concurrencyLimits}
              value={concurrency}
              onChange={setConcurrency}
              hint={`${concurrencyLimits.min} to ${concurrencyLimits.max}. Events of one record are always sent one after the other.`}
              error={faultAt('/concurrency')}
            />
            <TextField
              label="Requests per second"
              type="number"
              {...limits.createWebhookEndpoint.perSecond}
              value={perSecond}
              onChange={setPerSecond}
              placeholder="No limit"
              hint="At most this many. Empty: no limit."
              error={faultAt('/perSecond')}
            />
          </div>
          <Checkbox
            label="Combine events of a record"
            hint="If a record changes again before its event is sent, only the newest event is sent."
            checked={coalesce}
            onChange={setCoalesce}
          />
        </div>
      </Section>
      {save.error ? <Failure error={save.error} kept="Your input is still here." /> : null}
      <div className="row">
        <Button
          needs="operator"
          kind="primary"
          type="submit"
          busy={save.busy}
          disabled={url.trim() === '' || events.length === 0}
        >
          {submit}
        </Button>
        <LinkButton href={cancel}>Cancel</LinkButton>
      </div>
    </form>
  )
}

/** Of the field, or of the first entry of a list that is wrong. */
const faultIn = (error: ApiError | undefined, pointer: string): string | undefined =>
  error?.violationOf(pointer) ?? error?.errors.find((one) => one.pointer.startsWith(`${pointer}/`))?.message
