// The log of the service: one JSON object per line on standard output, with the name of its level and an ISO time.
import { type Logger, pino } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** No credential reaches a log line. */
const redact = [
  'authorization',
  'req.headers.authorization',
  'headers.authorization',
  '*.accessToken',
  '*.refreshToken',
  '*.clientSecret',
  '*.secret',
  '*.password',
]

/**
 * `sync`: a line is out when the call returns, in order with what else is printed, and even while the process exits.
 * For the few lines of a start and a shutdown.
 */
export function createLogger(level: string, { sync = false } = {}): Logger {
  return pino(
    {
      level,
      redact,
      formatters: { level: (name) => ({ level: name }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        // Fastify logs every address that it listens on. The service logs its start once, with its address.
        logMethod(parameters, method) {
          const [message] = parameters as unknown[]
          if (typeof message !== 'string' || !message.startsWith('Server listening at ')) method.apply(this, parameters)
        },
      },
    },
    pino.destination({ dest: 1, sync }),
  )
}
