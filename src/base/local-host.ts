/** Whether a URL's host is this machine, by the names that developers use. */
export const isLocalHost = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
