// Compressed responses: decompressed as they arrive, so that the limits of size count what a response expands to.
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export const acceptEncoding = 'gzip, deflate, br'

export interface Decoder {
  write(chunk: Buffer): void
  end(): void
  destroy(): void
}
interface Outcome {
  take(chunk: Buffer): void
  done(): void
  fail(message: string): void
}

const open = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // By the standard it has a zlib header; some servers leave it out.
  deflate: (first: Buffer) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
} as const

/** Undefined for an encoding that was not requested. */
export function createDecoder(encoding: string, { take, done, fail }: Outcome): Decoder | undefined {
  if (!Object.hasOwn(open, encoding)) return undefined
  let stream: ReturnType<(typeof open)['deflate' | 'br']> | undefined // a response without a body has nothing to decompress
  return {
    write(chunk) {
      stream ??= open[encoding as keyof typeof open](chunk)
        .on('data', take)
        .on('end', done)
        .on('error', () => fail('the compressed response is damaged'))
      stream.write(chunk)
    },
    end() {
      if (stream) stream.end()
      else done()
    },
    destroy() {
      stream?.destroy()
    },
  }
}
