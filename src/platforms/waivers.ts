// Conformance cases that a platform cannot pass: platform id -> `entity: case name` -> the platform's reason.
// The support page lists them, and a waiver that is no longer needed fails.
const refundsStay =
  'a refund has no time of modification: it is found by when it was created, and one that is declined later is not found again'
export const waivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bigcommerce: {
    'refund: updatedAfter returns exactly the records modified after that time, or filter_unsupported': refundsStay,
    'refund: a record modified in the second of updatedAfter is not missed': refundsStay,
  },
}
