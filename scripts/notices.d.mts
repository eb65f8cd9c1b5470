export declare const noticesFile: string
/** A plugin of rolldown and of Vite. */
export declare function notices(): { name: string }
