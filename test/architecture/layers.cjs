/** Folder -> the folders it may import. */
const layers = {
  base: [],
  pki: ['base'],
  api: ['base'],
  queue: ['base', 'api'],
  client: ['base', 'api'],
  resource: ['base', 'api', 'client'],
  crd: ['base', 'api'],
  apiserver: ['base', 'pki', 'api', 'queue', 'crd'],
  evolution: ['base', 'api', 'crd'],
  'import-crd': ['base', 'api'],
  cache: ['base', 'api', 'client'],
  webhook: ['base', 'api', 'resource', 'cache'],
  manifests: ['base', 'api', 'resource', 'crd'],
  validation: ['base', 'api', 'resource', 'crd', 'manifests', 'apiserver'],
  controller: ['base', 'api', 'client', 'resource', 'cache', 'queue'],
  manager: ['base', 'pki', 'api', 'client', 'resource', 'cache', 'queue', 'webhook', 'manifests', 'controller'],
  console: ['base', 'api', 'client', 'resource', 'cache', 'queue', 'manifests', 'controller', 'manager'],
  compiler: ['base', 'api', 'resource'],
  simulation: [
    ...['base', 'pki', 'api', 'client', 'resource', 'cache', 'controller', 'manager', 'manifests', 'crd', 'apiserver'],
    ...['compiler', 'validation'],
  ],
  cli: [
    ...['base', 'pki', 'api', 'client', 'resource', 'manager', 'manifests', 'crd', 'evolution', 'import-crd'],
    ...['apiserver', 'compiler', 'validation', 'console', 'simulation'],
  ],
  'test-runners': ['base', 'compiler', 'testing'],
  testing: [
    ...['base', 'pki', 'api', 'client', 'resource', 'webhook', 'manager', 'manifests', 'crd', 'apiserver'],
    'simulation',
  ],
};

/** The folders of src/apiserver: each may import those before it. Files beside the folders may import all of them. */
const serverLayers = [
  ...['objects', 'errors', 'data', 'schema', 'apply', 'storage', 'table', 'remote', 'resources', 'patch'],
  ...['expressions', 'certificates', 'validation', 'warnings', 'builtin', 'registry', 'transport', 'auth'],
  ...['flowcontrol', 'discovery', 'metrics', 'admission', 'crd', 'aggregation', 'handlers', 'server', 'controllers'],
];

/** Package -> where alone it may be loaded; as a type it is free. */
const fences = {
  '@kubernetes/client-node': '^src/client/',
  'reflect-metadata': '^src/resource/metadata[.]ts$',
  'class-validator': '^src/resource/',
  'js-yaml': '^src/base/yaml[.]ts$',
  pino: '^src/base/pino-logger[.]ts$',
  'pino-pretty': '^src/base/pino-logger[.]ts$',
  '@opentelemetry/api': '^src/manager/load-open-telemetry[.]ts$',
  'prom-client': '^src/base/metrics[.]ts$',
  commander: '^src/cli/',
  esbuild: '^src/cli/build/',
  '@swc/core': '^src/compiler/',
  'oxc-parser': '^src/(cli|compiler)/',
  '@marcbachmann/cel-js': '^src/crd/',
  ajv: '^src/crd/schema/compiled-check[.]ts$',
  re2js: '^src/base/pattern[.]ts$',
  ...Object.fromEntries(
    ['preact', '@preact/signals', 'uplot', '@codemirror/[^/]+', '@lezer/[^/]+'].map((name) => [
      name,
      '^src/console/ui/',
    ]),
  ),
  ws: '^src/apiserver/transport/stream/web-socket-stream[.]ts$',
};

const error = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    error('no-circular', {}, { circular: true }),
    ...Object.entries(layers).map(([folder, below]) =>
      error(
        `layer-${folder}`,
        { path: `^src/${folder}/` },
        { path: '^src/', pathNot: [folder, ...below].map((name) => `^src/${name}/`) },
      ),
    ),
    ...serverLayers.map((folder, index) =>
      error(
        `layer-apiserver-${folder}`,
        { path: `^src/apiserver/${folder}/` },
        { path: '^src/apiserver/', pathNot: serverLayers.slice(0, index + 1).map((name) => `^src/apiserver/${name}/`) },
      ),
    ),
    error(
      'layer-apiserver-unlisted',
      { path: '^src/' },
      { path: '^src/apiserver/.+/', pathNot: `^src/apiserver/(${serverLayers.join('|')})/` },
    ),
    ...Object.entries(fences).map(([name, home]) =>
      error(
        `fence-${name}`,
        { path: '^src/', pathNot: home },
        { path: `(^|/)node_modules/${name}/`, dependencyTypesNot: ['type-only'] },
      ),
    ),
    error(
      'console-page-is-separate',
      { path: '^src/console/ui/' },
      { path: '^src/', pathNot: '^src/console/(ui/|wire[./])' },
    ),
    error('console-page-is-not-imported', { path: '^src/', pathNot: '^src/console/ui/' }, { path: '^src/console/ui/' }),
    error(
      'operators-use-public-api',
      { path: '^operators/' },
      { path: '^src/', pathNot: '^src/(definitions|index|jest|testing|vite)[.]ts$' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
