// unirec workspaces …: list, create, rename and delete workspaces.
import { command, listCommand } from './operation.ts'

const workspaceId = { name: 'id', listedBy: 'unirec workspaces list', description: 'Id of the workspace' }
const name = { name: 'name', description: 'Name of the workspace' }

export const workspacesList = listCommand({
  operation: 'listWorkspaces',
  name: 'workspaces list',
  summary: 'List workspaces',
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    kind: ({ test }) => (test ? 'test' : ''),
    created: ({ createdAt }) => createdAt,
  },
  none: 'there are no workspaces; see unirec workspaces create --help',
})

export const workspacesCreate = command({
  operation: 'createWorkspace',
  name: 'workspaces create',
  summary: 'Create a workspace; prints its id',
  arguments: { name },
  flags: {
    test: { description: 'A test workspace: its accounts may only be in test environments of platforms' },
  },
  examples: ['unirec workspaces create Production', 'unirec workspaces create Tests --test'],
  show: ({ id }) => ({ lines: [id] }),
})

export const workspacesRename = command({
  operation: 'changeWorkspace',
  name: 'workspaces rename',
  summary: 'Rename a workspace; its id stays the same',
  arguments: { workspaceId, name },
  show: ({ id, name }) => ({ lines: [`${id} is now ${name}`] }),
})

export const workspacesDelete = command({
  operation: 'deleteWorkspace',
  name: 'workspaces delete',
  summary: 'Delete a workspace with everything in it; the audit log stays',
  arguments: { workspaceId, name: { ...name, description: 'Its exact name, as a confirmation' } },
  flags: {
    force: {
      type: 'boolean',
      description: 'Also while writes are open, whose outcome at the platform then stays unknown',
    },
  },
  examples: ['unirec workspaces delete urw_1 Production'],
  json: ({ arguments: { id } }) => ({ deleted: id }),
  show: (_, { arguments: { id } }) => ({ lines: [`deleted workspace ${id}`] }),
})
