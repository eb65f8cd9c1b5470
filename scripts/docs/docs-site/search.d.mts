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
  anchor: string // empty: the page itself
  text: string // the heading, or the name of the page
  detail: string // the page of the heading, or what the page is about
}
export declare function find(pages: readonly SearchPage[], query: string): SearchResult[]
