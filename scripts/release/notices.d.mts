export declare const noticesFile: string
/** A plugin of rolldown. */
export declare function notices(): { name: string }
