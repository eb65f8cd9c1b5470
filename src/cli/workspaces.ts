// unirec workspaces …: list, create, rename and delete workspaces.
import { type Argument, type Command, exitCodes } from './command.ts'
import { managed } from './connect.ts'
import { listAll } from './manage.ts'
import { showTable } from './table.ts'

interface Shown {
  id: string
  name: string
  test?: boolean
  createdAt: string
}
const workspace: Argument = {
  name: 'id',
  field: 'workspaceId',
  listedBy: 'unirec workspaces list',
  description: 'Id of the workspace',
}
const name: Argument = { name: 'name', field: 'name', description: 'Name of the workspace' }
const pathOf = (id = '') => `/workspaces/${encodeURIComponent(id)}`

export const workspacesList: Command = {
  name: 'workspaces list',
  summary: 'List workspaces',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const rows: string[][] = []
    for await (const one of listAll<Shown>(managed(await connect()), '/workspaces'))
      if (output.json) output.line(JSON.stringify(one))
      else rows.push([one.id, one.name, one.test ? 'test' : '', one.createdAt])
    if (rows.length > 0) showTable(output, ['id', 'name', 'kind', 'created'], rows)
    else if (!output.json) output.note('there are no workspaces; see unirec workspaces create --help')
    return exitCodes.ok
  },
}

export const workspacesCreate: Command = {
  name: 'workspaces create',
  summary: 'Create a workspace; prints its id',
  arguments: [name],
  flags: [
    {
      name: 'test',
      field: 'test',
      type: 'boolean',
      description: 'A test workspace: its accounts may only be in test environments of platforms',
    },
  ],
  examples: ['unirec workspaces create Production', 'unirec workspaces create Tests --test'],
  async run({ arguments: given, flags, output, connect }) {
    const body = { name: given.name, ...(flags.test ? { test: true } : {}) }
    const made = await managed(await connect()).call<Shown>('POST', '/workspaces', body)
    output.line(output.json ? JSON.stringify(made) : made.id)
    return exitCodes.ok
  },
}

export const workspacesRename: Command = {
  name: 'workspaces rename',
  summary: 'Rename a workspace; its id stays the same',
  arguments: [workspace, name],
  flags: [],
  async run({ arguments: given, output, connect }) {
    const body = { name: given.name }
    const changed = await managed(await connect()).call<Shown>('PATCH', pathOf(given.id), body)
    output.line(output.json ? JSON.stringify(changed) : `${changed.id} is now ${changed.name}`)
    return exitCodes.ok
  },
}

export const workspacesDelete: Command = {
  name: 'workspaces delete',
  summary: 'Delete a workspace with everything in it; the audit log stays',
  arguments: [workspace, { ...name, description: 'Its exact name, as a confirmation' }],
  flags: [
    {
      name: 'force',
      type: 'boolean',
      description: 'Also while writes are open, whose outcome at the platform then stays unknown',
    },
  ],
  examples: ['unirec workspaces delete urw_1 Production'],
  async run({ arguments: given, flags, output, connect }) {
    const query = new URLSearchParams({ name: given.name as string, ...(flags.force ? { force: 'true' } : {}) })
    await managed(await connect()).call('DELETE', `${pathOf(given.id)}?${query}`)
    output.line(output.json ? JSON.stringify({ deleted: given.id }) : `deleted workspace ${given.id}`)
    return exitCodes.ok
  },
}
