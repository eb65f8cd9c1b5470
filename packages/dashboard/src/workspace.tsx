// The workspace in the URL.
import { createContext, useContext } from 'react'
import { segment } from './api.ts'
import { type Call, callIn } from './manage.ts'

export interface WorkspacePaths {
  id: string
  /** Address of a page: `page('accounts', id)`. */
  page(...parts: string[]): string
  /** Calls an operation of the management API in this workspace. */
  call: Call
}
export const workspacePaths = (id: string): WorkspacePaths => ({
  id,
  page: (...parts) => `/w/${segment(id)}${parts.map((part) => `/${segment(part)}`).join('')}`,
  call: callIn(id),
})

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
