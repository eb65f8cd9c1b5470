// `npm run sbom`: a software bill of materials (CycloneDX 1.5, JSON) of the production dependencies, in sbom.cdx.json
// or the given file. The same lock file gives the same bytes.
// Not `npm sbom`: it writes the time and a random serial number, and names the product after its folder.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dependency, productionDependencies } from './dependencies.ts'

const root = join(import.meta.dirname, '../..')
const [file = 'sbom.cdx.json'] = process.argv.slice(2)
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
  license: string
}

const purl = ({ name: packageName, version: packageVersion }: Pick<Dependency, 'name' | 'version'>) =>
  `pkg:npm/${packageName.replace('@', '%40')}@${packageVersion}`
/** An SPDX id or an SPDX expression. */
const licensesOf = (license: string) =>
  /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]
const hashes = (integrity: string) =>
  integrity.split(' ').map((entry) => {
    const [algorithm = '', digest = ''] = entry.split(/-(.*)/)
    return {
      alg: algorithm.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-'),
      content: Buffer.from(digest, 'base64').toString('hex'),
    }
  })

const components = productionDependencies(root).map((dependency) => ({
  type: 'library',
  'bom-ref': purl(dependency),
  name: dependency.name,
  version: dependency.version,
  scope: dependency.optional ? 'optional' : 'required',
  hashes: dependency.integrity && hashes(dependency.integrity),
  licenses: dependency.license === 'not stated' ? undefined : licensesOf(dependency.license),
  purl: purl(dependency),
  externalReferences: dependency.resolved && [{ type: 'distribution', url: dependency.resolved }],
}))
const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
const serial = [
  digest.slice(0, 8),
  digest.slice(8, 12),
  `5${digest.slice(13, 16)}`,
  `8${digest.slice(17, 20)}`,
  digest.slice(20, 32),
].join('-')
const document = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${serial}`,
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': purl({ name, version }),
      name,
      version,
      licenses: licensesOf(license),
      purl: purl({ name, version }),
    },
  },
  components,
  dependencies: [{ ref: purl({ name, version }), dependsOn: components.map((component) => component.purl) }],
}
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
console.log(`${components.length} components in ${file}`)
