// The service, as `npm start` runs it. Its modules are loaded after the check, because an older Node.js could not even
// parse them.
import * as module from 'node:module'

const neededMajor = 24
if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  console.error(
    `cannot start: the service needs Node.js ${neededMajor} or later, and this is ${process.versions.node}. Run npm start, which brings its own.`,
  )
  process.exit(1)
}
if (process.argv.length > 2) {
  console.error(
    'cannot start: this program takes no flags. Set environment variables, such as PORT=9000, or run unirec serve, which has flags.\nSee: unirec serve --help',
  )
  process.exit(2)
}
module.enableCompileCache() // half of the time until the first response
try {
  const { readConfig } = await import('./config.ts')
  const config = readConfig() // first: a wrong setting is reported before the rest is loaded
  const { start } = await import('./start.ts')
  await start(config)
} catch (error) {
  console.error(`cannot start: ${(error as Error).message}`)
  process.exit(1)
}
