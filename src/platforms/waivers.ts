// Conformance cases that a platform cannot pass: platform id -> `entity: case name` -> the platform's reason.
// The support page lists them, and a waiver that is no longer needed fails. No platform needs one today.
export const waivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
