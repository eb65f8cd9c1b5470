export interface SearchPage {
  name: string
  title: string
  label: string // in the navigation
  about: string
  background: boolean // about the project, not its use: ranked lower
  sections: [heading: string, anchor: string, text: string][]
}
export interface SearchResult {
  name: string
  title: string
  heading: string // empty: the page itself
  anchor: string
}
export declare function find(pages: readonly SearchPage[], query: string): SearchResult[]
