export declare function stateOf(root: string): string
