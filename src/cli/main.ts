// The process of the command line: its signals, its pipes and its end.
import { exitCodes } from './command.ts'
import { runWords } from './run.ts'

const stop = new AbortController()
const exitCode = await runWords(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  stop,
  onStart({ name }) {
    const interrupt = () => {
      if (stop.signal.aborted && name !== 'serve') process.exit(exitCodes.interrupted) // asked twice
      stop.abort()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt)
    // The reader has closed the pipe, as `head` does.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (name === 'serve') return
      if (error.code !== 'EPIPE') console.error(error.message)
      process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed)
    })
  },
})
process.exitCode = exitCode
// Sockets of the pool would keep the process for seconds; what was written to a pipe must be out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)))
