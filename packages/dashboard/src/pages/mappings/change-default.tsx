import { useEffect, useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import type { Answer } from '../../manage.ts'
import type { Page } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { Explorable } from '../explorer/responses.ts'
import { useAppliesTo } from './place.ts'
import type { Mapping } from './rules.ts'

export type MappingDefault = Answer<'listMappingDefaults'>['data'][number]
type Scope = Mapping['scope']
/** From the most specific one. A default comes before those of the later scopes. */
const scopes: readonly Scope[] = ['account', 'platform', 'workspace']
const builtIn = 'built-in'
/** Instead of the id of a mapping: nothing is set. */
const unset = ''

interface Options {
  mappings: Mapping[]
  /** What each scope sets: the id of a mapping, `built-in`, or nothing. */
  set: Record<Scope, string>
}

interface ChangeDefaultProps {
  title: string
  account: Explorable
  current: MappingDefault
  onClose(): void
  onChanged(): Promise<void>
}

/** Sets or clears a default of the account, of its platform or of the workspace. */
export function ChangeDefault({ title, account, current, onClose, onChanged }: ChangeDefaultProps) {
  const { call } = useWorkspace()
  const appliesTo = useAppliesTo()
  const [options, setOptions] = useState<Options>()
  const [scope, setScope] = useState<Scope>('account')
  const [chosen, setChosen] = useState<string>()
  const { accountId, platform } = account
  const load = useAction(async () => setOptions(await loadOptions()))
  const save = useAction(async () => {
    const { entityType, direction } = current
    const own = { path: { accountId, entityType, direction } }
    const shared = { path: { entityType, direction }, query: { platform: scope === 'platform' ? platform : undefined } }
    if (value === unset)
      await (scope === 'account' ? call('clearMappingDefault', own) : call('clearSharedMappingDefault', shared))
    else {
      const body = { mappingId: value }
      await (scope === 'account'
        ? call('setMappingDefault', { ...own, body })
        : call('setSharedMappingDefault', { ...shared, body }))
    }
    await onChanged()
    say(value === unset ? 'Default mapping cleared' : 'Default mapping set')
    onClose()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void load.run(), [])

  async function loadOptions(): Promise<Options> {
    const [own, shared, defaults] = await Promise.all([
      allMappings((query) => call('listMappings', { path: { accountId }, query })),
      allMappings((query) => call('listSharedMappings', { query })),
      call('listSharedMappingDefaults'),
    ])
    const fits = (one: Pick<Mapping, 'entityType' | 'direction' | 'platform'>) =>
      one.entityType === current.entityType &&
      one.direction === current.direction &&
      (one.platform === undefined || one.platform === platform)
    const setBy = (wanted: Scope) => {
      const found = [current, ...defaults.data].find((one) => one.setBy === wanted && fits(one))
      return found ? (found.mappingId ?? builtIn) : unset
    }
    return {
      mappings: [...own, ...shared].filter(fits),
      set: { account: setBy('account'), platform: setBy('platform'), workspace: setBy('workspace') },
    }
  }

  const value = chosen ?? options?.set[scope] ?? unset
  const label = (id: string) => {
    const mapping = options?.mappings.find((one) => one.id === id)
    return mapping ? `${mapping.name} (${appliesTo(mapping)})` : 'Built-in mapping'
  }
  const place = scopes.indexOf(scope)
  const inherited = scopes
    .slice(place + 1)
    .map((one) => options?.set[one])
    .find(Boolean)
  const stronger = scopes.slice(0, place).find((one) => options?.set[one])
  const offered = options?.mappings.filter((mapping) => scopes.indexOf(mapping.scope) >= place) ?? []
  return (
    <FormDialog
      title={title}
      submit={value === unset && options?.set[scope] ? 'Clear default' : 'Set default'}
      onClose={onClose}
      action={save}
      ready={options !== undefined && value !== options.set[scope]}
      kept="Your choice is still here."
    >
      <p className="soft">Requests with an API key or a default mapping key use the default mapping.</p>
      {load.error ? <Failure error={load.error} retry={() => void load.run()} busy={load.busy} /> : null}
      <Select
        label="Set for"
        value={scope}
        onChange={(next) => {
          setScope(next)
          setChosen(undefined)
        }}
        hint={
          stronger
            ? `${stronger === 'account' ? account.name : account.platformName} has its own default, which comes first.`
            : undefined
        }
        choices={scopes.map((one) => ({ value: one, label: appliesTo({ scope: one, platform }) }))}
      />
      <Select
        label="Mapping"
        value={value}
        disabled={!options}
        onChange={setChosen}
        hint={value === builtIn ? 'Nothing is inherited.' : undefined}
        choices={[
          {
            value: unset,
            label: !options
              ? 'Loading…'
              : scope === 'workspace'
                ? 'Not set: built-in mapping'
                : `Inherit: ${label(inherited ?? builtIn)}`,
          },
          { value: builtIn, label: 'Built-in mapping' },
          ...offered.map(({ id }) => ({ value: id, label: label(id) })),
        ]}
      />
    </FormDialog>
  )
}

async function allMappings(
  read: (query: { limit: number; after: string }) => Promise<Page<Mapping>>,
): Promise<Mapping[]> {
  const all: Mapping[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await read({ limit: 500, after })
    all.push(...page.data)
    after = page.next
  }
  return all
}
