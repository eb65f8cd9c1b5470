// The platform's own words, for people.

/** The platform's own name of a value that a person types in, and where they find it there. */
export interface Words {
  label: string
  help?: string
}
/** Where operators register their application once, in the words of the platform. */
export interface Registration {
  console: { name: string; url: string }
  application?: string // the type to choose
  redirect: string // where its redirect URL is entered
  redirectRule?: string // what the platform requires of it
  permissions?: string // what is granted in the console; by default the request alone decides
}
