// Paths into a configuration, as people read them.
/** Appends a member or an index: `mappings[0].rules["/custom/size"]`. */
export const member = (path: string, name: string): string => {
  if (/^\d+$/.test(name)) return `${path}[${name}]`
  return /^\w+$/.test(name) ? (path === '' ? name : `${path}.${name}`) : `${path}[${JSON.stringify(name)}]`
}
