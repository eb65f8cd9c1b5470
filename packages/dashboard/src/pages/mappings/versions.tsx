import { Button } from '../../components/button.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { say } from '../../components/toast.tsx'
import { plural } from '../../format.ts'
import { History } from '../../lucide/icons.tsx'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { MappingPlace } from './place.ts'
import { changesBetween, type Mapping, type RuleChange, ruleWords } from './rules.ts'

/** Versions with their changes, newest first. Restoring an older version creates a new one. */
export function Versions({
  mapping,
  place,
  onRestored,
}: {
  mapping: Mapping
  place: MappingPlace
  onRestored(mapping: Mapping): void
}) {
  const { call } = useWorkspace()
  const { accountId, operations } = place
  const path = { accountId, mappingId: mapping.id }
  const versions = useManage(operations.versions, { path })
  const restore = useAction(async (old: Mapping) => {
    const next = await call(operations.change, { path, body: { rules: old.rules } })
    onRestored(next)
    await versions.refresh()
    say(`Version ${old.version} restored as version ${next.version}`)
  })
  return (
    <div className="stack">
      {restore.error ? <Failure error={restore.error} kept="The mapping was not changed." /> : null}
      <Content of={versions} shape={<Skeleton height={240} />}>
        {({ data }) => {
          const newest = [...data].sort((left, right) => right.version - left.version)
          return (
            <ol className="stack">
              {newest.map((version, index) => (
                <li key={version.version}>
                  <Section
                    title={`Version ${version.version}`}
                    about={
                      <>
                        Saved <Moment at={version.createdAt} /> · {plural(Object.keys(version.rules).length, 'rule')}
                      </>
                    }
                    actions={
                      version.version === mapping.version ? (
                        <State tone="ok">Active</State>
                      ) : (
                        <Button
                          needs="operator"
                          small
                          icon={History}
                          busy={restore.busy}
                          onClick={() => void restore.run(version)}
                        >
                          {`Restore version ${version.version}`}
                        </Button>
                      )
                    }
                  >
                    <Changes changes={changesBetween(newest[index + 1]?.rules ?? {}, version.rules)} />
                  </Section>
                </li>
              ))}
            </ol>
          )
        }}
      </Content>
    </div>
  )
}

const signs = { added: '+', removed: '−', changed: '±' }
function Changes({ changes }: { changes: readonly RuleChange[] }) {
  if (changes.length === 0) return <p className="faint">No changes to rules.</p>
  return (
    <ul className="changes">
      {changes.map(({ pointer, kind, before, after }) => (
        <li key={pointer} className={`change change-${kind}`}>
          <span className="change-sign" role="img" aria-label={kind}>
            {signs[kind]}
          </span>
          <span className="mono">{pointer}</span>
          <span>
            {before ? <del>{ruleWords(before)}</del> : null}
            {after ? <ins>{ruleWords(after)}</ins> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}
