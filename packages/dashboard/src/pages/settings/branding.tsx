// How the connect pages present the workspace to its customers.

import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import * as limits from '../../generated/limits.ts'
import type { Branding as Saved } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import './settings.css'

export function Branding() {
  const loaded = useManage('getBranding')
  return (
    <Section
      title="Connect pages"
      about="What customers see when they open a connect link. The pages are in the language of their browser."
    >
      <Content of={loaded} shape={<Skeleton height={280} />}>
        {(data) => <BrandingForm key={JSON.stringify(data)} saved={data} onSaved={loaded.put} />}
      </Content>
    </Section>
  )
}

const fields = ['name', 'purpose', 'color', 'privacyUrl', 'logo'] as const
type Input = Record<(typeof fields)[number], string>
const inputOf = (saved: Saved) => Object.fromEntries(fields.map((field) => [field, saved[field] ?? ''])) as Input

function BrandingForm({ saved, onSaved }: { saved: Saved; onSaved(branding: Saved): void }) {
  const { call } = useWorkspace()
  const [input, setInput] = useState(inputOf(saved))
  const set = (field: keyof Input) => (text: string) => setInput((before) => ({ ...before, [field]: text }))
  const save = useAction(async () => {
    const given = fields.map((field) => [field, input[field].trim()] as const).filter(([, text]) => text !== '')
    onSaved(await call('setBranding', { body: Object.fromEntries(given) }))
    say('Settings saved')
  })
  const changed = fields.some((field) => input[field].trim() !== (saved[field] ?? ''))
  const wrong = (field: keyof Input) => {
    const message = save.error?.violationOf(`/${field}`)
    return message && `${labels[field]} ${message}.`
  }
  return (
    <form
      className="stack branding"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <TextField
        label={labels.name}
        value={input.name}
        onChange={set('name')}
        {...limits.setBranding.name}
        hint="Who asks for access. By default the name of the workspace."
        error={wrong('name')}
      />
      <TextField
        label={labels.purpose}
        value={input.purpose}
        onChange={set('purpose')}
        {...limits.setBranding.purpose}
        placeholder="Daily sales in your books"
        hint="Why you ask. Shown as written, in every language. A link can have its own."
        error={wrong('purpose')}
      />
      <TextField
        label={labels.color}
        mono
        value={input.color}
        onChange={set('color')}
        {...limits.setBranding.color}
        placeholder="#1f5fd0"
        hint="Color of buttons. White text must be readable on it."
        error={wrong('color')}
      />
      <TextField
        label={labels.privacyUrl}
        type="url"
        mono
        value={input.privacyUrl}
        onChange={set('privacyUrl')}
        {...limits.setBranding.privacyUrl}
        placeholder="https://your.app/privacy"
        error={wrong('privacyUrl')}
      />
      <label className="field">
        <span>{labels.logo}</span>
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) void dataUrlOf(file).then(set('logo'))
          }}
        />
        <span className="field-hint">PNG, JPEG or WebP, at most 64 KiB.</span>
        {wrong('logo') ? <span className="field-error">{wrong('logo')}</span> : null}
      </label>
      {input.logo ? (
        <div className="row">
          <img src={input.logo} alt="Logo" className="branding-logo" />
          <Button small onClick={() => set('logo')('')}>
            Remove logo
          </Button>
        </div>
      ) : null}
      {save.error ? <Failure error={save.error} kept="The settings were not changed." sentences={[]} /> : null}
      <div className="row">
        <Button kind="primary" type="submit" needs="admin" busy={save.busy} disabled={!changed}>
          Save connect pages
        </Button>
        {changed ? <Button onClick={() => setInput(inputOf(saved))}>Discard changes</Button> : null}
      </div>
    </form>
  )
}
const labels: Input = {
  name: 'Business name',
  purpose: 'Purpose',
  color: 'Color',
  privacyUrl: 'Privacy policy',
  logo: 'Logo',
}

const dataUrlOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
