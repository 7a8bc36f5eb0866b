/** Folder -> the folders it may import. */
const layers = {
  base: [],
  api: ['base'],
  queue: ['base', 'api'],
  client: ['base', 'api'],
  resource: ['base', 'api'],
  crd: ['base', 'api'],
  apiserver: ['base', 'api', 'crd'],
  evolution: ['base', 'api', 'crd'],
  'import-crd': ['base', 'api'],
  cache: ['base', 'api', 'client'],
  manifests: ['base', 'api', 'resource', 'crd'],
  controller: ['base', 'api', 'client', 'resource', 'cache', 'queue'],
  manager: ['base', 'api', 'client', 'resource', 'cache', 'queue', 'manifests', 'controller'],
  cli: ['base', 'api', 'client', 'resource', 'manager', 'manifests', 'crd', 'evolution', 'import-crd', 'apiserver'],
  testing: ['base', 'api', 'client', 'resource', 'manager', 'crd', 'apiserver'],
};

/** Package -> where alone it may be loaded; as a type it is free. */
const fences = {
  '@kubernetes/client-node': '^src/client/',
  'reflect-metadata': '^src/resource/metadata[.]ts$',
  'class-validator': '^src/resource/',
  'js-yaml': '^src/base/yaml[.]ts$',
  pino: '^src/base/pino-logger[.]ts$',
  'pino-pretty': '^src/base/pino-logger[.]ts$',
  'prom-client': '^src/base/metrics[.]ts$',
  commander: '^src/cli/',
  '@swc/core': '^src/cli/',
  'oxc-parser': '^src/cli/',
  '@marcbachmann/cel-js': '^src/(crd|apiserver/admission/policy)/',
  re2js: '^src/base/pattern[.]ts$',
  ws: '^src/apiserver/transport/web-socket-stream[.]ts$',
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
    ...Object.entries(fences).map(([name, home]) =>
      error(
        `fence-${name}`,
        { path: '^src/', pathNot: home },
        { path: `(^|/)node_modules/${name}/`, dependencyTypesNot: ['type-only'] },
      ),
    ),
    error(
      'operators-use-public-api',
      { path: '^operators/' },
      { path: '^src/', pathNot: '^src/(definitions|index|testing)[.]ts$' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
