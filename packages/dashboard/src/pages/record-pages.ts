// One chunk: the two pages that show and edit records share their trees and are the largest.
export { default as Explorer } from './explorer/explorer-page.tsx'
export { default as Mappings } from './mappings/mappings-page.tsx'
