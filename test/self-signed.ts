// A certificate for some host names, signed with its own key, as X.509 has it (RFC 5280). Node.js reads certificates and
// makes none.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const hour = 3_600_000
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content) // no unused bits
const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const commonName = identifier('550403')
const subjectAltName = identifier('551d11')
const dnsName = (name: string) => der(0x82, Buffer.from(name))

/** Both in PEM. */
export function selfSigned(names: readonly string[]): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(names[0] ?? '')))))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // positive
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - hour), time(Date.now() + 48 * hour)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(...names.map(dnsName)))))),
  )
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bits(sign('sha256', toBeSigned, privateKey)))
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
