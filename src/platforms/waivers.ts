// What the conformance suite cannot ask of a platform, each with a reason that is the platform's. Shown in the support page; a waiver that is no longer needed fails.
export const waivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
