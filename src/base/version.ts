import packageJson from '../../package.json' with { type: 'json' }

/** The version of the package, as shown in the OpenAPI document, the command line, the log and the User-Agent. */
export const version: string = packageJson.version
