// npm run generated-clients: generates clients for Python, Go and Java from the OpenAPI document with OpenAPI Generator,
// compiles them, and makes one call with each to a sandbox. Needs Java 11+, Go and Python with urllib3, six, dateutil and
// certifi (Debian: default-jdk-headless golang-go golang-golang-x-oauth2-dev python3-urllib3 python3-six
// python3-dateutil python3-certifi). The generator comes from npm: these old releases of its package contain it.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage, isInstalled } from '../test/debian.ts'
import { startService } from '../test/service-process.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'unified-records-clients-'))
const run = (program: string, parameters: string[], environment: Record<string, string> = {}, cwd = folder) =>
  execFileSync(program, parameters, { cwd, env: { ...process.env, ...environment }, encoding: 'utf8' })

/** Version 5 has no complete generator for Go, version 4 none for Java that compiles with what Debian has. */
function generatorOf(version: string): string {
  const cache = join(root, '.cache/openapi-generator', version)
  const jar = join(cache, 'package/bin/openapi-generator.jar')
  if (existsSync(jar)) return jar
  mkdirSync(cache, { recursive: true })
  const file = run('npm', ['pack', '--silent', `@openapitools/openapi-generator-cli@${version}`], {}, cache).trim()
  run('tar', ['xf', file], {}, cache)
  return jar
}
const version4 = '1.0.18-4.3.1'
const version5 = '1.0.18-5.0.0-beta2'
function generate(version: string, language: string, ...more: string[]): string {
  const out = join(folder, language)
  const document = join(root, 'docs/generated/openapi.json')
  const log = run('java', [
    '-jar',
    generatorOf(version),
    'generate',
    '-i',
    document,
    '-g',
    language,
    '-o',
    out,
    ...more,
  ])
  const invented = globSync(`${out}/**/*{inline,Inline,_all_of,AllOf,_any_of,AnyOf}*`)
  if (invented.length > 0) throw new Error(`the generator invented names:\n${invented.join('\n')}\n${log.slice(-500)}`)
  return out
}

const account = 'sandbox-square-restaurant'
const clients: Record<string, (url: string, key: string) => string> = {
  python(url, key) {
    const out = generate(version4, 'python')
    const use = `import openapi_client
configuration = openapi_client.Configuration(host='${url}')
configuration.access_token = '${key}'
with openapi_client.ApiClient(configuration) as client:
    client.set_default_header('authorization', 'Bearer ${key}')
    page = openapi_client.ProductApi(client).list_products('${account}', page_size=2)
print(len(page.data), page.pagination.has_more)
`
    writeFileSync(join(out, 'use.py'), use)
    return run('/usr/bin/python3', ['use.py'], {}, out)
  },
  go(url, key) {
    const out = generate(version4, 'go-experimental')
    const source = join(folder, 'gopath/src')
    mkdirSync(join(source, 'records'), { recursive: true })
    mkdirSync(join(source, 'use'))
    for (const file of globSync('*.go', { cwd: out })) {
      const text = readFileSync(join(out, file), 'utf8').replace(/^package openapi$/m, 'package records')
      writeFileSync(join(source, 'records', file), text)
    }
    const use = `package main

import (
	"context"
	"fmt"
	"records"
)

func main() {
	configuration := records.NewConfiguration()
	configuration.Servers[0].URL = "${url}"
	ctx := context.WithValue(context.Background(), records.ContextAccessToken, "${key}")
	page, _, err := records.NewAPIClient(configuration).ProductApi.ListProducts(ctx, "${account}").PageSize(2).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(len(page.Data), page.Pagination.HasMore)
}
`
    writeFileSync(join(source, 'use/main.go'), use)
    const paths = { GO111MODULE: 'off', GOPATH: `${join(folder, 'gopath')}:/usr/share/gocode` }
    return run('go', ['run', 'use'], { ...paths, GOFLAGS: '-p=1', GOCACHE: join(folder, 'go-cache') })
  },
  java(url, key) {
    const settings = 'dateLibrary=java8,hideGenerationTimestamp=true,openApiNullable=false'
    const out = generate(version5, 'java', '--library', 'native', `--additional-properties=${settings}`)
    const { hostname, port } = new URL(url)
    const use = `import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ProductApi;

public class Use {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setScheme("http").setHost("${hostname}").setPort(${port}).setBasePath("");
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer ${key}"));
    var page = new ProductApi(client).listProducts("${account}", 2, null, null, null, null, null, null, null, null);
    System.out.println(page.getData().size() + " " + page.getPagination().getHasMore());
  }
}
`
    writeFileSync(join(out, 'Use.java'), use)
    writeFileSync(join(out, 'files'), ['Use.java', ...globSync('src/main/**/*.java', { cwd: out })].join('\n'))
    // The generator contains the libraries that its clients need.
    const libraries = generatorOf(version5)
    run('javac', ['-nowarn', '-d', 'classes', '-cp', libraries, '@files'], {}, out)
    return run('java', ['-cp', `classes:${libraries}`, 'Use'], {}, out)
  },
}

const packages =
  'default-jdk-headless golang-go golang-golang-x-oauth2-dev python3-urllib3 python3-six python3-dateutil python3-certifi'
if (!['javac', 'go'].every(isInstalled)) for (const name of packages.split(' ')) await installPackage(name)
const service = await startService({ SANDBOX_PLATFORMS: 'square' }, 'src/main.ts')
try {
  const { apiKey } = service.sandboxFile()
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(clients)
  for (const language of chosen) {
    const printed = clients[language]?.(service.url, apiKey).trim()
    console.log(`${language}: ${printed}`)
    if (!/^2 true$/i.test(printed ?? '')) throw new Error(`${language} did not read the two records of a page`)
  }
} finally {
  await service.kill()
  rmSync(folder, { recursive: true, force: true })
}
