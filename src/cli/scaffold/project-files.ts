import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import { PROJECT_DOCKERFILE, SECRET_FILES } from '../../manifests/dockerfile.js';
import { kindFiles } from './kind-files.js';
import type { KindIdentity } from './kind-identity.js';
import { CI_WORKFLOW, endToEndWorkflow } from './project-workflows.js';

/** Parameters of a new project. */
export interface ProjectOptions {
  /** Its npm name. */
  readonly name: string;
  /** The dependency on kindwright: a version range, file or folder. */
  readonly dependency: string;
  readonly kind: KindIdentity;
}

/** The files of a project with one operator, set up to test, run, debug and deploy. */
export function projectFiles(options: ProjectOptions): GeneratedFile[] {
  return [
    { path: 'package.json', content: json(packageJson(options)) },
    { path: 'tsconfig.json', content: json(TSCONFIG) },
    { path: 'vitest.config.ts', content: VITEST_CONFIG },
    { path: '.vscode/launch.json', content: json(LAUNCH) },
    { path: '.github/workflows/ci.yml', content: CI_WORKFLOW },
    { path: '.github/workflows/e2e.yml', content: endToEndWorkflow(options.kind) },
    { path: 'Dockerfile', content: PROJECT_DOCKERFILE },
    { path: '.dockerignore', content: lines(['node_modules', '.git', ...SECRET_FILES, 'crds-out', 'dist', 'test']) },
    { path: '.gitignore', content: lines(['node_modules/', 'dist/', ...SECRET_FILES]) },
    { path: '.devcontainer/devcontainer.json', content: json(DEVCONTAINER) },
    { path: 'AGENTS.md', content: AGENTS },
    { path: 'README.md', content: readme(options) },
    ...kindFiles(options.kind),
  ];
}

function packageJson({ name, dependency }: ProjectOptions): object {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.19' },
    scripts: {
      dev: 'kindwright dev',
      start: 'kindwright demo',
      test: 'vitest run',
      check: 'tsc && generate-manifests --check',
      generate: 'generate-manifests',
      ...CLUSTER_SCRIPTS,
    },
    kindwright: { image: imageOf(name) },
    dependencies: { kindwright: dependency },
    devDependencies: { '@types/node': '^24.0.0', typescript: '^6.0.0', vitest: '^4.0.0' },
  };
}

const IMAGE = `\${IMG:-$(node -p "require('./package.json').kindwright.image")}`;

/** Runs a command with the arguments of the script; the first may be `IMG=…`, as in `make docker-build IMG=…`. */
function withImage(command: string): string {
  return `f() { case $1 in IMG=*) IMG=\${1#IMG=}; shift;; esac; ${command} "$@"; }; f`;
}

/** The targets of kubebuilder's Makefile. npm runs a script with the name `install` during npm install. */
const CLUSTER_SCRIPTS = {
  'generate-manifests': 'generate-manifests',
  build: 'kindwright build',
  'docker-build': withImage(`docker build --tag ${IMAGE} .`),
  'docker-push': withImage(`docker push ${IMAGE}`),
  'docker-buildx': withImage(`docker buildx build --platform linux/amd64,linux/arm64 --tag ${IMAGE} --push .`),
  'install-crds': 'kindwright install',
  'uninstall-crds': 'kindwright uninstall',
  deploy: withImage('kindwright deploy ${IMG:+--image $IMG}'),
  undeploy: 'kindwright undeploy',
  help: 'npm run',
};

function imageOf(name: string): string {
  return `registry.example.com/${name}:0.1.0`;
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  },
  include: ['operators', 'test', 'vitest.config.ts'],
};

const VITEST_CONFIG = `import { kindwright } from 'kindwright/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({ plugins: [kindwright()] });
`;

const DEBUGGING = {
  cwd: '${workspaceFolder}',
  console: 'integratedTerminal',
  pauseForSourceMap: true,
  skipFiles: ['<node_internals>/**', '**/node_modules/**'],
};

const LAUNCH = {
  version: '0.2.0',
  configurations: [
    {
      name: 'Develop this operator',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/node_modules/kindwright/dist/cli/bin/kindwright.js',
      args: ['dev', '${file}'],
      ...DEBUGGING,
    },
    {
      name: 'Run this operator on the cluster of my kubeconfig',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/node_modules/kindwright/dist/cli/bin/run-operator.js',
      args: ['${file}', '--install'],
      ...DEBUGGING,
    },
    {
      name: 'Debug the tests',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/node_modules/vitest/vitest.mjs',
      args: ['run', '--no-file-parallelism'],
      ...DEBUGGING,
    },
  ],
};

/** Docker in the container runs kind; `npm start` and the tests need neither. */
const DEVCONTAINER = {
  image: 'mcr.microsoft.com/devcontainers/javascript-node:24',
  features: {
    'ghcr.io/devcontainers/features/docker-in-docker:2': {},
    'ghcr.io/devcontainers/features/kubectl-helm-minikube:1': { minikube: 'none' },
  },
  postCreateCommand: 'npm ci',
};

/** Instructions for coding agents, in the file that they read. */
const AGENTS = `# For coding agents

- \`operators/*.ts\` are the source: one class defines the API and the behavior of a kind. \`crds-out/\` is generated: run
  \`npm run generate\` after each change of a class, and never edit it.
- \`npm test\` runs the tests on an API server in the process; no cluster is needed. \`npm run check\` checks types, and that
  \`crds-out/\` is up to date. Run both before a commit.
- Add kinds with \`npx kindwright create kind <group>/<version> <Kind>\`, webhooks with \`npx kindwright create webhook <Kind>\`.
- \`reconcile\` must be idempotent: it runs again after errors, restarts and changes of owned objects.
- Read objects from the cache (\`ctx.get\`, \`ctx.list\`), and write with \`ctx.apply\` or a \`@Dependent\` method.
- The permissions are derived from the decorators. Add \`@Owns\`, \`@Watches\` or \`@Rbac\`, do not edit roles.
- The documentation is in \`node_modules/kindwright/docs/\`; \`errors.md\` explains each error code.
`;

function readme({ name, kind: { kind, plural, group } }: ProjectOptions): string {
  const file = kind.toLowerCase();
  return `# ${name}

A Kubernetes operator for ${plural}.${group}, built with kindwright.

\`\`\`sh
npm ci            # once
npm run dev       # runs it with its sample, and uses files as you save them; no cluster is needed
npm test          # tests it on such a server
npm run generate  # regenerates crds-out/, after a change of a class or of the settings
npm run check     # checks types, and that crds-out/ is up to date
\`\`\`

\`operators/${file}.ts\` defines the API and the behavior, \`test/${file}.test.ts\` its tests.
Each file of \`operators/\` is an operator with a Deployment of its own; "Which files form an operator" in docs/deployment.md of
kindwright describes how several kinds form one.

To run it on the cluster of your kubeconfig from this machine: \`npx run-operator --install\`.

To deploy it, replace \`kindwright.image\` in \`package.json\` with a name that you can push to, then:

\`\`\`sh
npm run generate
npm run docker-build
npm run docker-push
npm run deploy    # or: kubectl apply -f crds-out/${group}_${plural}.yaml -f crds-out/${file}/
\`\`\`

\`npm run docker-build IMG=…\` builds another image, and so do the other two. \`npm run help\` lists all scripts.

Environment variables, volumes, resources and replicas of the Deployment are set in \`package.json\` too:
\`"kindwright": { "deployment": { "env": [{ "name": "REGION", "value": "eu" }] } }\`.
`;
}

function lines(patterns: readonly string[]): string {
  return `${patterns.join('\n')}\n`;
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
