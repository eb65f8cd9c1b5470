export declare const buildTools: string[]
/** A plugin of rolldown. */
export declare function usedFiles(build: string): { name: string }
export declare function slim(root: string, builds: string[]): void
