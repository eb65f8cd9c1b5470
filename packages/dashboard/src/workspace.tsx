// The workspace in the URL.
import { createContext, useContext } from 'react'
import { segment } from './api.ts'

export interface WorkspacePaths {
  id: string
  /** Address of a page: `page('accounts', id)`. */
  page(...parts: string[]): string
  /** Path in the management API: `api('accounts', id)`. */
  api(...parts: string[]): string
}
export const workspacePaths = (id: string): WorkspacePaths => ({
  id,
  page: (...parts) => `/w/${segment(id)}${parts.map((part) => `/${segment(part)}`).join('')}`,
  api: (...parts) => `/workspaces/${segment(id)}${parts.map((part) => `/${segment(part)}`).join('')}`,
})

/** All workspaces of the user, in the management API. */
export const workspaceList = '/workspaces?limit=500'

export const WorkspaceContext = createContext<WorkspacePaths>(workspacePaths(''))
export const useWorkspace = () => useContext(WorkspaceContext)

const lastKey = 'workspace'
export const rememberWorkspace = (id: string) => {
  try {
    localStorage.setItem(lastKey, id)
  } catch {
    // only a convenience
  }
}
export const lastWorkspace = () => {
  try {
    return localStorage.getItem(lastKey) ?? ''
  } catch {
    return ''
  }
}
