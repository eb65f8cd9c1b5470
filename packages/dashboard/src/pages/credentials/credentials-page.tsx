import { useState } from 'react'
import { useParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Page, Tabs } from '../../components/page.tsx'
import { isPartial, Pager, TableShape } from '../../components/table.tsx'
import { KeyRound, Plus } from '../../lucide/icons.tsx'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { CredentialTable } from './credential-table.tsx'
import { type Kind, kinds } from './kinds.ts'
import { NewCredential } from './new-credential.tsx'

export default function CredentialsPage() {
  const { page } = useWorkspace()
  const { tab } = useParams()
  const kind: Kind = tab === 'api-keys' ? 'api-keys' : 'access-ids'
  const { word, about, empty, operations } = kinds[kind]
  const query = useQuery()
  const [creating, setCreating] = useState(query.get('create') === 'yes')
  const list = useManage(operations.list, { query: { after: query.get('after') } })
  const create = (
    <Button kind="primary" icon={Plus} needs="admin" onClick={() => setCreating(true)}>
      Create {word}
    </Button>
  )
  return (
    <Page
      title="Credentials"
      about="Your systems use these credentials to call the unified API. Platform credentials are stored with each account."
      actions={create}
    >
      <Tabs
        label="Credential types"
        current={kind}
        tabs={[
          { id: 'access-ids', label: 'Access IDs', href: page('credentials') },
          { id: 'api-keys', label: 'API keys', href: page('credentials', 'api-keys') },
        ]}
      />
      <p className="soft">{about}</p>
      <Content of={list} shape={<TableShape columns={5} rows={4} />}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty icon={KeyRound} title={`No ${word} yet`} action={create}>
              {empty}
            </Empty>
          ) : (
            <>
              <CredentialTable
                kind={kind}
                credentials={data}
                partial={isPartial(query, next)}
                onChange={list.refresh}
              />
              <Pager query={query} shown={data.length} next={next} of="credentials" />
            </>
          )
        }
      </Content>
      {creating ? (
        <NewCredential
          kind={kind}
          onCreated={() => void list.refresh()}
          onClose={() => {
            setCreating(false)
            if (query.get('create')) query.set({ create: undefined }, 'replace')
          }}
        />
      ) : null}
    </Page>
  )
}
