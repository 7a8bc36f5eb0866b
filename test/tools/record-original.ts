// Records the states to which the original operator of a page of docs/coming-from leads on a real control plane:
//
//   node test/tools/record-original.ts PAGE "ORIGINAL" MANIFESTS COMMAND…
//
// PAGE is a page of `RESOURCES`, ORIGINAL describes the operator and its commit, MANIFESTS is a file with its definitions and
// webhooks, and COMMAND starts it. Its webhooks are called at https://127.0.0.1:9443; `CERTS` in COMMAND is replaced by the
// folder of their certificate. The originals are not part of this repository, but for the last one:
//
//   kubebuilder: docs/book/src/multiversion-tutorial/testdata/project of kubernetes-sigs/kubebuilder, with its config/crd and
//     config/webhook/manifests.yaml
//     PAGE… ./manager --webhook-cert-path=CERTS --health-probe-bind-address=0
//   operator-sdk: testdata/go/v4/memcached-operator of operator-framework/operator-sdk, with its config/crd/bases and
//     config/webhook/manifests.yaml, and the image of docs/examples/memcached.ts
//     PAGE… env MEMCACHED_IMAGE=memcached:1.6.26-alpine3.19 ./manager --webhook-cert-path=CERTS --health-probe-bind-address=0
//   kopf: the code blocks of docs/walkthrough of nolar/kopf (create_fn with kopf.adopt, update_fn, relabel with old and new)
//     PAGE… kopf run --standalone --namespace=default ephemeral.py
//   java-operator-sdk: sample-operators/webpage of operator-framework/java-operator-sdk, with the definition of its class
//     PAGE… env WEBPAGE_RECONCILER=managed java … io.javaoperatorsdk.operator.sample.WebPageOperator
//   kube-rs: examples/configmapgen_controller.rs of kube-rs/kube, with the definition of its struct
//     PAGE… ./configmapgen_controller
//   client-node: docs/examples/watch-loop.ts, because client-node's examples have no operator, with an empty file
//     PAGE… node --input-type=module --eval "import { KubeConfig } from '@kubernetes/client-node'; …; await watchLoop(…)"
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import { startControlPlane } from '../controlplane/start-control-plane.ts';
import {
  isChange,
  recordingPath,
  type RecordedStep,
  RESOURCES,
  statesIn,
  STORAGE_CLASS,
  VOLUME,
} from '../e2e/sdk/recorded-states.ts';

// Modules of the tests import each other as the compiled ones do.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\..*\.js$/.test(specifier) ? specifier.replace(/\.js$/, '.ts') : specifier, context),
});
const { stepsOf } = await import('../docs/page-steps.ts');

/** A state counts when nothing has changed for this time. */
const SETTLED_MS = 6_000;
/** A run of a schedule is due within a minute. */
const RUN_MS = 75_000;

const [page = '', original = '', manifests = '', command = '', ...args] = process.argv.slice(2);
const resources = RESOURCES[page];
if (!resources || command === '') throw new Error('usage: record-original.ts PAGE ORIGINAL MANIFESTS COMMAND…');

const folder = mkdtempSync(join(tmpdir(), 'original-'));
const cluster = await startControlPlane();
const { kubeconfig } = cluster;
const { kubectl } = await import('../controlplane/binaries.ts').then(({ findBinaries }) => findBinaries());
try {
  const authority = createCertificate();
  const objects = (loadAll(readFileSync(manifests, 'utf8')) as (object | null)[]).filter((each) => each !== null);
  const all = [...objects, STORAGE_CLASS, VOLUME].map((each) => JSON.stringify(withUrls(each, authority)));
  await cluster.kubectl(['apply', '-f', '-'], all.join('\n---\n'));
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const operator = spawn(
    command,
    args.map((arg) => arg.replace('CERTS', folder)),
    { env, stdio: 'inherit' },
  );
  try {
    await delay(SETTLED_MS);
    // The garbage collector looks for new kinds when it starts.
    await cluster.stopPart('controller-manager', 'SIGKILL');
    await cluster.startPart('controller-manager');
    const steps = await perform();
    mkdirSync(dirname(recordingPath(page)), { recursive: true });
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(
      recordingPath(page),
      `${JSON.stringify({ original: `${original}, run on ${date}`, steps }, null, 2)}\n`,
    );
  } finally {
    operator.kill('SIGKILL');
  }
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true });
}

async function perform(): Promise<RecordedStep[]> {
  const steps: RecordedStep[] = [];
  const path = `${dirname(kubectl)}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: path };
  for (const step of stepsOf(`docs/coming-from/${page}.md`)) {
    if ('file' in step) {
      writeFileSync(join(folder, step.file), step.content);
      continue;
    }
    if (step.command.startsWith('kubectl get ')) continue;
    const ran = promisify(execFile)('bash', ['-c', step.command], { cwd: folder, env });
    const output = await ran.then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { readonly stderr: string }).stderr,
    );
    console.error(`$ ${step.command}\n${output}`);
    if (isChange(step.command)) steps.push({ command: step.command, objects: await settledStates(steps.length === 0) });
  }
  return steps;
}

/** Returns the states once they no longer change, and after the first step once there is a dependent. */
async function settledStates(isFirst: boolean): Promise<unknown[]> {
  let states = await statesIn({ kubectl, kubeconfig }, resources ?? []);
  const end = performance.now() + RUN_MS;
  for (let since = performance.now(); performance.now() - since < SETTLED_MS || (isFirst && states.length < 2);) {
    if (performance.now() > end) throw new Error(`the states do not settle: ${JSON.stringify(states)}`);
    await delay(500);
    const now = await statesIn({ kubectl, kubeconfig }, resources ?? []);
    if (isDeepStrictEqual(now, states)) continue;
    states = now;
    since = performance.now();
  }
  return states;
}

/** Writes `tls.key` and `tls.crt` for 127.0.0.1, and returns the certificate for clients. */
function createCertificate(): string {
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names, ...files]);
  return readFileSync(join(folder, 'tls.crt')).toString('base64');
}

/** Replaces the Services of webhooks by the address of the operator on this machine. */
function withUrls(value: unknown, caBundle: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withUrls(item, caBundle));
  if (typeof value !== 'object' || value === null) return value;
  const { clientConfig } = value as { readonly clientConfig?: { readonly service?: { readonly path?: string } } };
  const path = clientConfig?.service?.path;
  const replaced = path === undefined ? {} : { clientConfig: { url: `https://127.0.0.1:9443${path}`, caBundle } };
  const members = Object.entries(value).map(([key, member]) => [key, withUrls(member, caBundle)]);
  return { ...Object.fromEntries(members), ...replaced } as unknown;
}
