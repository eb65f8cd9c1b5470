// `npm start`. What was compiled and stripped of its types is kept for the next start: half of the time until the first answer.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { readConfig } = await import('./config.ts')
const { start } = await import('./start.ts')
try {
  await start(readConfig())
} catch (error) {
  console.error(`cannot start: ${(error as Error).message}`)
  process.exit(1)
}
