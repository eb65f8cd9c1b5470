import packageJson from '../../package.json' with { type: 'json' }

/** Of the package. The OpenAPI document, the command line, the log and the User-Agent show the same. */
export const version: string = packageJson.version
