// npm run generated-clients: generates clients for Python, Go, Java and C# from the OpenAPI documents, compiles them,
// and makes one call with each to a sandbox. No class may have a name that a generator invented. Needs Java 11+, Go,
// Mono, and Python with urllib3, six, dateutil and certifi; on Debian it installs what is missing. The generators come
// from npm: OpenAPI Generator in old releases that contain it, and a release of NSwag that runs on Mono. They also have
// the libraries that their clients need.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, parse } from 'node:path'
import { installPackage } from '../../test/debian.ts'
import { startService } from '../../test/service-process.ts'
import { findProgram } from '../setup/programs.mjs'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'unified-records-clients-'))
const run = (program: string, parameters: string[], environment: Record<string, string> = {}, cwd = folder) =>
  execFileSync(program, parameters, { cwd, env: { ...process.env, ...environment }, encoding: 'utf8' })

/** A file of an npm package, which is unpacked and not installed. */
function fileOf(name: string, version: string, path: string): string {
  const cache = join(root, '.cache', name.replace(/^.*\//, ''), version)
  const file = join(cache, 'package', path)
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  run('tar', ['xf', run('npm', ['pack', '--silent', `${name}@${version}`], {}, cache).trim()], {}, cache)
  return file
}
/** Version 5 has no complete generator for Go, version 4 none for Java that compiles with what Debian has. */
const generatorOf = (version: string) =>
  fileOf('@openapitools/openapi-generator-cli', version, 'bin/openapi-generator.jar')
const records = join(root, 'docs/generated/openapi.json')
const manage = join(root, 'docs/generated/openapi-manage.json')
const version4 = '1.0.18-4.3.1'
const version5 = '1.0.18-5.0.0-beta2'
function generate(version: string, language: string, ...more: string[]): string {
  const out = join(folder, language)
  run('java', ['-jar', generatorOf(version), 'generate', '-i', records, '-g', language, '-o', out, ...more])
  return out
}

/** Throws if a class has a name that is not in the document. A field can have a class for its values. */
function checkNames(language: string, document: string, names: string[]): void {
  const plain = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  const { schemas } = JSON.parse(readFileSync(document, 'utf8')).components
  const known = new Set(
    Object.entries<{ properties?: object }>(schemas).flatMap(([name, { properties = {} }]) =>
      ['', ...Object.keys(properties)].map((field) => plain(name + field)),
    ),
  )
  const invented = names.filter((name) => !known.has(plain(name)))
  console.log(`${language}: ${names.length} models, ${invented.length} invented names ${invented.join(' ')}`.trimEnd())
  if (names.length === 0 || invented.length > 0) throw new Error(`${basename(document)} does not name all models`)
}
const namesOf = (pattern: string, cwd: string) => globSync(pattern, { cwd }).map((path) => parse(path).name)

const account = 'sandbox-square-restaurant'
const clients: Record<string, (url: string, key: string) => string> = {
  python(url, key) {
    const out = generate(version4, 'python')
    const models = namesOf('openapi_client/models/*.py', out).filter((name) => name !== '__init__')
    checkNames('python', records, models)
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
    const models = namesOf('model_*.go', out).map((name) => name.slice('model_'.length))
    checkNames('go', records, models)
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
    checkNames('java', records, namesOf('src/main/java/**/model/*.java', out))
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
    const libraries = generatorOf(version5)
    run('javac', ['-nowarn', '-d', 'classes', '-cp', libraries, '@files'], {}, out)
    return run('java', ['-cp', `classes:${libraries}`, 'Use'], {}, out)
  },
  csharp(url, key) {
    const nswag = fileOf('nswag', '13.20.0', 'bin/binaries/Win/NSwag.exe')
    const out = join(folder, 'csharp')
    mkdirSync(out)
    for (const [document, namespace] of Object.entries({ [records]: 'Records', [manage]: 'Management' })) {
      const file = join(out, `${namespace}.cs`)
      const settings = [
        `/input:${document}`,
        `/output:${file}`,
        `/namespace:${namespace}`,
        '/className:{controller}Client',
        '/operationGenerationMode:MultipleClientsFromFirstTagAndOperationId',
        '/generateOptionalPropertiesAsNullable:true',
      ]
      run('mono', [nswag, 'openapi2csclient', ...settings])
      const declared = [...readFileSync(file, 'utf8').matchAll(/^ *public (?:\w+ )*(?:class|enum) (\w+)/gm)]
      const models = declared.map(([, name = '']) => name).filter((name) => !/Client$|^ApiException$/.test(name))
      checkNames(`csharp ${namespace}`, document, models)
    }
    const use = `using System;
using System.Net.Http;
using System.Net.Http.Headers;

public static class Use {
  public static void Main() {
    var http = new HttpClient();
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", "${key}");
    var client = new Records.ProductClient(http) { BaseUrl = "${url}" };
    var page = client.ListProductsAsync("${account}", 2, null, null, null, null, null, null, null, null).Result;
    Console.WriteLine(page.Data.Count + " " + page.Pagination.HasMore);
  }
}
`
    writeFileSync(join(out, 'Use.cs'), use)
    // Mono looks for a library next to the program.
    copyFileSync(join(dirname(nswag), 'Newtonsoft.Json.dll'), join(out, 'Newtonsoft.Json.dll'))
    const libraries =
      'System.Net.Http System.ComponentModel.DataAnnotations System.Runtime.Serialization Newtonsoft.Json'
    const sources = ['Use.cs', 'Records.cs', 'Management.cs']
    run('mcs', ['-warn:0', '-out:Use.exe', ...libraries.split(' ').map((name) => `-r:${name}`), ...sources], {}, out)
    return run('mono', ['Use.exe'], {}, out)
  },
}

const packages = [
  ...['default-jdk-headless', 'golang-go', 'golang-golang-x-oauth2-dev', 'mono-mcs', 'libmono-system-web-http4.0-cil'],
  ...['python3-urllib3', 'python3-six', 'python3-dateutil', 'python3-certifi'],
]
if (!['javac', 'go', 'mcs'].every(findProgram)) for (const name of packages) await installPackage(name)
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
