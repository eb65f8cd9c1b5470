export type ProgramName = 'bash' | 'chromium' | 'curl' | 'git' | 'pgbouncer' | 'python3'
export declare const programs: Readonly<Record<ProgramName, { debian: string; brew: string; purpose: string }>>
export declare const nightlyPrograms: Readonly<Record<string, { debian: string; purpose: string }>>
/** The folder with the wrappers in `bin`. */
export declare const unpackedPrograms: string
export declare function findProgram(name: string): string | undefined
export declare function hasDebianPackages(): boolean
export declare function howToInstall(names: readonly string[]): string
