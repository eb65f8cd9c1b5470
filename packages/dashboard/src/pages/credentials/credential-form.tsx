// What a credential may be used for: for a new one and for one that exists.

import { useState } from 'react'
import type { ApiError } from '../../api.ts'
import { AccountPicker } from '../../components/account-picker.tsx'
import { IconButton } from '../../components/button.tsx'
import { FormDialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Checkbox, Select, TextField } from '../../components/field.tsx'
import { exactTime } from '../../format.ts'
import * as limits from '../../generated/limits.ts'
import { X } from '../../lucide/icons.tsx'
import type { Credential, CredentialSettings } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { defaultScopes, type Entity, entities, namesIn, type Scope, scopes } from './scopes.ts'
import './credentials.css'

const day = 86_400_000
const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

export function CredentialForm({
  title,
  submit,
  credential,
  onSave,
  onClose,
}: {
  title: string
  submit: string
  /** Absent: a new one. */
  credential?: Credential
  onSave(settings: CredentialSettings): Promise<void>
  onClose(): void
}) {
  const [name, setName] = useState(credential?.name ?? '')
  const [granted, setGranted] = useState<readonly Scope[]>(credential?.scopes ?? defaultScopes)
  const [accounts, setAccounts] = useState<readonly string[]>(credential?.accounts ?? [])
  const [only, setOnly] = useState<readonly Entity[]>(credential?.entities ?? [])
  const [hidden, setHidden] = useState(credential?.hiddenFields?.join(', ') ?? '')
  const [expiry, setExpiry] = useState(credential?.expiresAt ?? '')
  const action = useAction(() =>
    onSave({
      name: name.trim(),
      scopes: scopes.flatMap(({ scope }) => (granted.includes(scope) ? [scope] : [])),
      accounts: accounts.length > 0 ? [...accounts] : undefined,
      entities: only.length > 0 ? [...only] : undefined,
      hiddenFields: hidden.trim() === '' ? undefined : namesIn(hidden),
      expiresAt: /^\d+$/.test(expiry) ? new Date(Date.now() + Number(expiry) * day).toISOString() : expiry || undefined,
    }),
  )
  const faultAt = (pointer: string) => faultIn(action.error, pointer)
  const toggled = <T,>(list: readonly T[], one: T, isOn: boolean) =>
    isOn ? [...list, one] : list.filter((other) => other !== one)
  const kept = credential?.expiresAt
  const expiryChoices = kept ? [{ value: kept, label: exactTime(kept).local }, ...expiries] : expiries
  const isLimited = accounts.length > 0 || only.length > 0 || hidden !== '' || action.error !== undefined
  return (
    <FormDialog
      title={title}
      submit={submit}
      wide
      onClose={onClose}
      action={action}
      ready={name.trim() !== '' && granted.length > 0}
      failure={(error) =>
        error.errors.length > 0 ? (
          <p className="field-error" role="alert">
            Nothing was saved. Correct the marked fields.
          </p>
        ) : (
          <Failure error={error} kept="Your input is still here." />
        )
      }
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        {...limits.createApiKey.name}
        autoFocus
        placeholder="Order import, production"
        hint="The system that uses it. Activity shows this name for each request."
        error={faultAt('/name')}
      />
      <fieldset className="credential-choices">
        <legend>Scopes</legend>
        {scopes.map(({ scope, label, hint }) => (
          <Checkbox
            key={scope}
            label={label}
            hint={hint}
            checked={granted.includes(scope)}
            onChange={(isOn) => setGranted(toggled(granted, scope, isOn))}
          />
        ))}
        {granted.length === 0 ? <p className="field-error">Choose at least one scope.</p> : null}
      </fieldset>
      <Select
        label="Expires"
        value={expiry}
        choices={expiryChoices}
        onChange={setExpiry}
        error={faultAt('/expiresAt')}
      />
      <details className="credential-limits" open={isLimited || undefined}>
        <summary>Limits</summary>
        <div className="stack">
          <div className="stack-small">
            <AccountPicker
              accountId=""
              name=""
              label="Limit to an account"
              onChoose={(id) => setAccounts(toggled(toggled(accounts, id, false), id, true))}
            />
            {accounts.length > 0 ? (
              <ul className="credential-accounts" aria-label="Only these accounts">
                {accounts.map((id) => (
                  <li key={id}>
                    <span className="mono">{id}</span>
                    <IconButton
                      icon={X}
                      label={`Remove ${id}`}
                      onClick={() => setAccounts(toggled(accounts, id, false))}
                    />
                  </li>
                ))}
              </ul>
            ) : null}
            {faultAt('/accounts') ? <div className="field-error">{faultAt('/accounts')}</div> : null}
          </div>
          <fieldset className="credential-choices">
            <legend>Only these entities</legend>
            {entities.map(({ entity, label }) => (
              <Checkbox
                key={entity}
                label={label}
                checked={only.includes(entity)}
                onChange={(isOn) => setOnly(toggled(only, entity, isOn))}
              />
            ))}
            {faultAt('/entities') ? <div className="field-error">{faultAt('/entities')}</div> : null}
          </fieldset>
          <TextField
            label="Hidden fields"
            value={hidden}
            onChange={setHidden}
            mono
            autoComplete="off"
            placeholder="email, phone, address"
            hint="Left out of all records, at any depth. Such records cannot be updated: an update replaces the whole record."
            error={faultAt('/hiddenFields')}
          />
        </div>
      </details>
    </FormDialog>
  )
}

/** Also of an entry of a list. */
const faultIn = (error: ApiError | undefined, pointer: string): string | undefined =>
  error?.violationOf(pointer) ?? error?.errors.find((one) => one.pointer.startsWith(`${pointer}/`))?.message
