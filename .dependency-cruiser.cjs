// Who may import whom. Each rule names the one reason it exists; test/architecture.test.ts plants a violation of every one.
const test = '\\.test\\.ts$'
const simulator = '^src/platforms/[^/]+/simulator/'
const fixtures = '/fixtures/'
const typebox = '(^|/)node_modules/typebox/|^typebox$'
/** What a job is made of. */
const loop = '^src/jobs/(job|lease|named-lease)\\.ts$'
const graphql = '(^|/)node_modules/graphql/|^graphql$'
/** Tests may look at anything; nothing may look at tests. */
const code = (path, ...except) => ({ path, pathNot: [test, ...except] })
const only = (name, comment, from, ...allowed) => ({ name, severity: 'error', comment, from, to: { pathNot: allowed } })
const ofOurs = (name, comment, from, ...allowed) => ({
  name,
  severity: 'error',
  comment,
  from,
  to: { path: '^(src|packages)/', pathNot: from.path.startsWith('^packages/') ? allowed : ['^src/base/', ...allowed] },
})
const never = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only(
      'base-imports-nothing',
      'The base holds small functions of no subject; one of them reads the version of the package.',
      code('^src/base/'),
      '^src/base/',
      '^package\\.json$',
    ),
    only(
      'contract-is-pure',
      'The contract depends on nothing but the schema library.',
      code('^src/contract/'),
      '^src/(base|contract)/',
      typebox,
    ),
    only(
      'kit-is-pure',
      'The kit holds pure functions over the contract; a signature is one.',
      code('^src/kit/'),
      '^src/(kit|contract|base)/',
      typebox,
      '^(node:)?crypto$',
    ),

    only(
      'connector-knows-kit-and-contract',
      'A connector is data and functions of what they are given: no engine, store, network, clock, environment, other platform.',
      code('^src/platforms/([^/]+)/', simulator, fixtures),
      '^src/(kit|contract|base)/',
      '^src/platforms/$1/',
      '^src/platforms/zoho/',
      typebox,
    ),
    never(
      'connector-knows-no-simulator',
      'The connector must not lean on its own stand-in.',
      code('^src/platforms/[^/]+/', simulator, fixtures),
      {
        path: [simulator, `^src/platforms/.+${fixtures}`],
      },
    ),
    never(
      'simulator-knows-sandbox',
      'A simulator is an independent witness: it never uses its connector, the kit or another platform.',
      { path: '^src/platforms/([^/]+)/simulator/', pathNot: test },
      {
        pathNot: [
          '^src/(sandbox|contract|base)/',
          '^src/platforms/($1|zoho)/simulator/',
          '^src/platforms/($1|zoho)/(.*/|)fixtures/',
          graphql,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    never(
      'graphql-is-for-one-simulator',
      'Shopify answers GraphQL, so its simulator executes it; nobody else needs a GraphQL engine.',
      code('^src/', '^src/platforms/shopify/simulator/'),
      { path: graphql },
    ),
    never(
      'simulator-takes-types-of-the-contract',
      'Behaviour shared with the service would hide the same mistake on both sides.',
      { path: simulator, pathNot: test },
      {
        path: '^src/contract/',
        dependencyTypesNot: ['type-only', 'type-import'],
      },
    ),
    only(
      'fixtures-are-data',
      'Fixtures are what a platform sent.',
      code(`^src/platforms/([^/]+)/(.*/|)fixtures/`),
      '^src/platforms/$1/(.*/|)fixtures/',
      '^src/contract/',
    ),
    never(
      'zoho-is-shared-by-two',
      'The folder holds what the two Zoho platforms have in common.',
      code('^src/platforms/', '^src/platforms/zoho(-books|-inventory)?/'),
      {
        path: '^src/platforms/zoho/',
      },
    ),
    ofOurs(
      'registry-lists-connectors',
      'The registry lists connectors and nothing else.',
      code('^src/platforms/registry\\.ts$'),
      '^src/contract/',
      '^src/platforms/[^/]+/connector\\.ts$',
    ),
    ofOurs(
      'simulators-lists-simulators',
      'The list of simulators knows no connector.',
      code('^src/platforms/simulators\\.ts$'),
      '^src/(sandbox|contract)/',
      '^src/platforms/[^/]+/simulator/simulator\\.ts$',
    ),

    ofOurs(
      'engine-knows-no-platform',
      'The engine works for any connector it is given.',
      code('^src/engine/'),
      '^src/(engine|contract|store)/',
      loop,
    ),
    ofOurs(
      'store-knows-contract',
      'The store keeps; it decides nothing.',
      code('^src/store/'),
      '^src/(store|contract)/',
    ),
    ofOurs(
      'threads-run-engine-and-store',
      'A thread runs what the process runs, with the platforms from their list.',
      code('^src/threads/'),
      '^src/(threads|engine|store|contract)/',
      '^src/platforms/registry\\.ts$',
    ),
    never(
      'threads-are-wired-at-the-top',
      'Only the files at the top know that there are threads.',
      code('^src/[^/]+/', '^src/threads/'),
      { path: '^src/threads/' },
    ),
    ofOurs(
      'accounts-know-no-http',
      'Use cases of accounts are called by the API, the sandbox workspace and tests.',
      code('^src/accounts/'),
      '^src/(accounts|changes|engine|store|contract)/',
      loop,
    ),
    ofOurs(
      'changes-know-engine-and-store',
      'The change feed reads platforms through the engine, and knows no HTTP.',
      code('^src/changes/'),
      '^src/(changes|engine|store|contract)/',
      loop,
    ),
    ofOurs(
      'migrate-knows-engine-and-store',
      'A migration reads and writes through the engine or, in the command line, through the client; it knows no HTTP.',
      code('^src/migrate/'),
      '^src/(migrate|engine|store|contract)/',
      loop,
    ),
    ofOurs(
      'deliveries-know-changes-and-store',
      'Outgoing webhooks read the logs of the store and send through the transport of the engine.',
      code('^src/deliveries/'),
      '^src/(deliveries|changes|engine|store|contract)/',
      loop,
    ),
    ofOurs(
      'platform-webhooks-know-changes-and-store',
      'Webhooks of platforms become hints of the change feed. Calls about them go through the engine.',
      code('^src/platform-webhooks/'),
      '^src/(platform-webhooks|changes|engine|store|contract)/',
      loop,
    ),
    ofOurs(
      'loop-knows-no-job',
      'The loop, its leases and its tasks are the same for all jobs.',
      code('^src/jobs/', '^src/jobs/jobs\\.ts$'),
      '^src/jobs/(?!jobs\\.ts$)',
      '^src/store/',
    ),
    ofOurs(
      'catalog-lists-jobs',
      'The catalog names all background work; the work is in the folder that it belongs to, and knows no HTTP.',
      code('^src/jobs/jobs\\.ts$'),
      '^src/(jobs|accounts|changes|migrate|deliveries|platform-webhooks|engine|store|contract)/',
    ),
    never(
      'catalog-is-wired-at-the-top',
      'Code that needs a job is given what it may do with it.',
      code('^src/[^/]+/', '^src/jobs/'),
      { path: '^src/jobs/(jobs|task)\\.ts$' },
    ),
    ofOurs(
      'mcp-knows-engine-and-store',
      'Tools use the engine as the routes of records do, and know no HTTP.',
      code('^src/mcp/'),
      '^src/(mcp|changes|engine|store|contract)/',
    ),
    never(
      'mcp-sdk-is-for-mcp',
      'The protocol stays behind the tools and the bridge of the command line.',
      code('^src/', '^src/mcp/', '^src/cli/mcp-stdio\\.ts$'),
      { path: '(^|/)node_modules/@modelcontextprotocol/|^@modelcontextprotocol/' },
    ),
    never('accounts-know-no-server', 'Requests and responses stay in the API.', code('^src/accounts/'), {
      path: ['(^|/)node_modules/fastify/|^fastify$', '^(node:)?http$'],
    }),
    ofOurs(
      'api-knows-engine-and-store',
      'The API handles HTTP; it reaches platforms through the engine.',
      code('^src/api/'),
      '^src/(api|accounts|changes|migrate|deliveries|platform-webhooks|mcp|engine|store|contract)/',
    ),
    ofOurs(
      'sandbox-knows-contract',
      'What simulators share knows none of them.',
      code('^src/sandbox/', '^src/sandbox/main\\.ts$'),
      '^src/(sandbox|contract)/',
    ),
    ofOurs(
      'sandbox-main-wires',
      'The sandbox on its own gets the simulators from their list.',
      code('^src/sandbox/main\\.ts$'),
      '^src/(sandbox|contract)/',
      '^src/platforms/simulators\\.ts$',
    ),
    never(
      'platforms-by-their-lists',
      'Files at the top wire platforms through the registry, never by name.',
      code('^src/[^/]+\\.ts$'),
      { path: '^src/platforms/[^/]+/' },
    ),
    never(
      'conformance-is-for-tests',
      'The suite is no part of the running service.',
      code('^src/', '^src/conformance/'),
      { path: '^src/conformance/' },
    ),
    never('nothing-imports-main', 'main.ts wires; what it starts must not know it.', code('^src/'), {
      path: '^src/main\\.ts$',
    }),

    ofOurs(
      'client-stands-alone',
      'The client is published on its own.',
      { path: '^packages/client/' },
      '^packages/client/',
    ),
    ofOurs(
      'connect-stands-alone',
      'The popup is published on its own.',
      { path: '^packages/connect/' },
      '^packages/connect/',
    ),
    ofOurs(
      'dashboard-knows-client',
      'The dashboard uses the service as any caller would.',
      { path: '^packages/dashboard/' },
      '^packages/(dashboard|client)/',
    ),
    never('service-knows-no-workspace', 'The service does not depend on its clients.', code('^src/', '^src/cli/'), {
      path: '^packages/',
    }),
    ofOurs(
      'cli-stands-outside',
      'The command line uses a service as any caller would; on its machine it starts it and looks after its keys, users and files, and no more.',
      code('^src/cli/'),
      '^src/(cli|contract|store|migrate)/',
      '^src/(config|setting-names|start|sandbox-workspace|users)\\.ts$',
      '^src/sandbox/simulator\\.ts$',
      '^src/deliveries/(body|event-types|signature)\\.ts$', // unirec listen delivers as the service does
      '^src/(deliveries/endpoint-faults|engine/outbound/egress)\\.ts$', // unirec apply refuses what the service would
      '^packages/client/',
    ),
    never(
      'nothing-imports-the-cli',
      'It is started by bin/unirec.mjs; the service must not know it.',
      code('^(src|packages)/', '^src/cli/'),
      { path: '^src/cli/' },
    ),

    never('no-test-in-code', 'Tests are leaves.', code('^(src|packages)/'), { path: test }),
    never(
      'no-development-package-in-code',
      'The running service may only use what is installed in production.',
      code('^src/', '^src/conformance/'),
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'type-only'],
      },
    ),
    never('no-circular', 'Files that need each other are one file, or three.', {}, { circular: true }),
    never('no-unresolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    never(
      'no-orphans',
      'A file nobody uses is dead.',
      { orphan: true, path: '^src/', pathNot: ['^src/(sandbox/)?main\\.ts$', test, '\\.d\\.ts$', fixtures] },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
}
