import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { eventually } from 'kindwright/testing';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { AdmissionSuite, WebhookServer, type Json } from '../admission/admission-suite.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

/** The server that the suites run on: each jest project sets it in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

const group = 'migrations.example.com';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const integer = { type: 'integer' };
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: integer, replicas: integer } } },
  },
};

let cluster: SuiteControlPlane;
let suite: AdmissionSuite;
let converter: WebhookServer;
let project: TemporaryProject;
let isConverterDown = false;
let unconvertible: string | undefined = 'broken';

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  suite = await AdmissionSuite.start(Promise.resolve(cluster));
  converter = await WebhookServer.start((request) => {
    const { desiredAPIVersion, objects } = request as unknown as { desiredAPIVersion: string; objects: Stored[] };
    const isBroken =
      objects.some(({ metadata }) => metadata.name === unconvertible) && desiredAPIVersion.endsWith('/v1');
    if (isConverterDown || isBroken) return { result: { status: 'Failure', message: 'no replicas' } };
    const convertedObjects = objects.map((object) => ({
      ...object,
      apiVersion: desiredAPIVersion,
      spec: desiredAPIVersion.endsWith('/v1')
        ? { size: object.spec.replicas ?? object.spec.size }
        : { replicas: object.spec.size ?? object.spec.replicas },
    }));
    return { result: { status: 'Success' }, convertedObjects };
  });
  project = new TemporaryProject();
});
afterAll(async () => {
  project.remove();
  converter.stop();
  await suite.stop();
});

interface Stored {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly size?: number; readonly replicas?: number };
}

/** A kind with the versions v1beta1 and v1, of which the first is stored. */
class MigratedKind {
  readonly crd: string;

  constructor(private readonly plural: string) {
    this.crd = `${plural}.${group}`;
  }

  path(version: string, name = ''): string {
    return `/apis/${group}/${version}/namespaces/default/${this.plural}/${name}`;
  }

  async install(): Promise<void> {
    const kind = this.plural[0]!.toUpperCase() + this.plural.slice(1, -1);
    const names = { plural: this.plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
    const webhook = { clientConfig: converter.clientConfig(), conversionReviewVersions: ['v1'] };
    await suite.must('POST', crds, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.crd },
      spec: {
        group,
        names,
        scope: 'Namespaced',
        versions: versionsStoring('v1beta1'),
        conversion: { strategy: 'Webhook', webhook },
      },
    });
    await suite.until(
      () => suite.send('GET', this.path('v1')),
      ({ code }) => code === 200,
    );
  }

  create(version: string, name: string, spec: object): Promise<Json> {
    const kind = this.plural[0]!.toUpperCase() + this.plural.slice(1, -1);
    return suite.must('POST', this.path(version), {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name },
      spec,
    });
  }

  async edit(spec: object): Promise<void> {
    await suite.must('PATCH', `${crds}/${this.crd}`, { spec }, 'application/merge-patch+json');
  }

  async storedVersions(): Promise<unknown> {
    return (await suite.must('GET', `${crds}/${this.crd}`)).status?.storedVersions;
  }

  get arguments(): string[] {
    return ['migrate-storage', '--crd', this.crd, '--kubeconfig', cluster.kubeconfig];
  }
}

function versionsStoring(stored: string): object[] {
  return ['v1beta1', 'v1'].map((name) => ({ name, served: true, storage: name === stored, schema }));
}

/** Starts the command and resolves when it rewrites objects. */
async function startRewriting(kind: MigratedKind): Promise<{ child: ChildProcess; output: () => string }> {
  const child = project.start('kindwright', [...kind.arguments, '--rate', '30']);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await eventually(
    () => {
      expect(output).toContain('rewriting');
    },
    { timeout: '20s' },
  );
  const before = converter.reviews.length;
  await eventually(() => {
    expect(converter.reviews.length).toBeGreaterThan(before + 5);
  });
  return { child, output: () => output };
}

async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}

describe('kindwright migrate-storage', () => {
  test('migrate-storage stores all objects in the new version while they change, also after it was killed (W28)', async () => {
    const kind = new MigratedKind('counters');
    await kind.install();
    for (let index = 0; index < 40; index++) await kind.create('v1beta1', `old-${String(index)}`, { replicas: index });
    await kind.edit({ versions: versionsStoring('v1') });
    expect(await kind.storedVersions()).toEqual(['v1beta1', 'v1']);

    const killed = await startRewriting(kind);
    killed.child.kill('SIGKILL');
    expect(await ended(killed.child)).toBe('SIGKILL');
    const stopped = await startRewriting(kind);
    stopped.child.kill('SIGINT');
    expect([await ended(stopped.child), stopped.output()]).toEqual([
      130,
      expect.stringContaining('stopped; changes made so far remain'),
    ]);
    expect(await kind.storedVersions()).toEqual(['v1beta1', 'v1']);

    const { child, output } = await startRewriting(kind);
    child.kill('SIGSTOP'); // all changes are made during the migration, also on a busy machine
    const merge = (version: string, name: string, spec: object) =>
      suite.must('PATCH', kind.path(version, name), { spec }, 'application/merge-patch+json');
    await merge('v1beta1', 'old-39', { replicas: 139 });
    await merge('v1', 'old-38', { size: 138 });
    await suite.must('DELETE', kind.path('v1', 'old-37'));
    await suite.must('DELETE', kind.path('v1', 'old-36'));
    await kind.create('v1beta1', 'old-36', { replicas: 136 });
    await kind.create('v1beta1', 'new', { replicas: 1 });
    await kind.edit({ names: { shortNames: ['cnt'] } });
    child.kill('SIGCONT');
    expect([await ended(child), output()]).toEqual([
      0,
      expect.stringMatching(
        /counters\.migrations\.example\.com: the definition was changed during the migration\n(.*\n)*.*: all objects are stored in v1; v1beta1 can be removed from the classes\n$/,
      ),
    ]);
    expect(await kind.storedVersions()).toEqual(['v1']);

    isConverterDown = true; // an object in an old version cannot be read
    try {
      const { items } = (await suite.must('GET', kind.path('v1'))) as unknown as { items: Stored[] };
      expect(items).toHaveLength(40);
      for (const { metadata, spec } of items) {
        const { spec: read } = await suite.must('GET', kind.path('v1', metadata.name));
        expect(read).toEqual(spec);
        const index = Number(metadata.name.slice('old-'.length));
        expect(spec.size).toBe(metadata.name === 'new' ? 1 : index < 36 ? index : index + 100);
      }
    } finally {
      isConverterDown = false;
    }
    expect(await project.run('kindwright', kind.arguments)).toEqual({
      exitCode: 0,
      stdout: `${kind.crd}: all objects are stored in v1\n`,
      stderr: '',
    });
  });

  test('migrate-storage names the objects that cannot be converted, migrates the others, and keeps the stored versions', async () => {
    const kind = new MigratedKind('dials');
    await kind.install();
    for (const name of ['a', 'broken', 'c']) await kind.create('v1beta1', name, { replicas: 1 });
    await kind.edit({ versions: versionsStoring('v1') });
    for (const options of [['--dry-run'], []]) {
      const { exitCode, stdout, stderr } = await project.run('kindwright', [...kind.arguments, ...options]);
      expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^ {2}default\/broken: .*no replicas$/m)]);
      expect(stderr).toMatch(/^error: 1 object at .* cannot be stored in the new version\n {2}hint: /);
    }
    expect(await kind.storedVersions()).toEqual(['v1beta1', 'v1']);
    expect(await kind.storedVersions()).toEqual(['v1beta1', 'v1']);
    unconvertible = undefined;
    const stored = async () => (await suite.must('GET', kind.path('v1', 'c'))).metadata?.resourceVersion;
    const migrated = await stored();
    expect(await project.run('kindwright', kind.arguments)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await stored()).toBe(migrated); // nothing is written twice
    expect(await kind.storedVersions()).toEqual(['v1']);
  });
  // The watch cache of kube-apiserver would make this take 30 s.
  if (E2E_SERVER === 'embedded')
    test('migrate-storage lists objects in the versions that can read them, if no version can read all', async () => {
      const kind = new MigratedKind('gauges');
      await kind.install();
      for (const name of ['a', 'b', 'c']) await kind.create('v1beta1', name, { replicas: 1 });
      await kind.edit({ versions: versionsStoring('v1') });
      await kind.create('v1', 'd', { size: 1 });
      isConverterDown = true;
      try {
        const { exitCode, stdout, stderr } = await project.run('kindwright', kind.arguments);
        expect([exitCode, stdout, stderr]).toEqual([
          1,
          expect.stringMatching(/: rewriting 4 objects\n {2}default\/a: /),
          expect.stringMatching(/^error: 3 objects /),
        ]);
      } finally {
        isConverterDown = false;
      }
      expect(await kind.storedVersions()).toEqual(['v1beta1', 'v1']);
    });
});
