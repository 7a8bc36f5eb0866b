import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { Client, loadClusterConfig, NotFoundError, PersistentVolume, StorageClass } from 'kindwright';
import { ConfigMapGenerator } from '../../../docs/examples/config-map-generator.js';
import { Clock, CronJob, CronJobV2 } from '../../../docs/examples/cron-job.js';
import { EphemeralVolumeClaim } from '../../../docs/examples/ephemeral-volume-claim.js';
import { Memcached } from '../../../docs/examples/memcached.js';
import { TeamLabels } from '../../../docs/examples/team-labels.js';
import { TestEntity, TestEntityV1, TestEntityV2 } from '../../../docs/examples/test-entity.js';
import { WebPage } from '../../../docs/examples/web-page.js';
import { eventually } from '../../../src/testing/eventually.js';
import { findBinaries } from '../../controlplane/binaries.js';
import { performCommand } from '../../docs/documented-command.js';
import { stepsOf } from '../../docs/page-steps.js';
import { ShellSession } from '../../docs/shell-session.js';
import { limitTests } from '../../time-limits.js';
import { restartGarbageCollector, startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import {
  comparable,
  expectedStates,
  isChange,
  readRecording,
  type RecordedStep,
  RESOURCES,
  statesIn,
  STORAGE_CLASS,
  VOLUME,
} from './recorded-states.js';
import { installKinds, RunningManager } from './running-manager.js';

limitTests(240_000);

declare const E2E_SERVER: 'embedded' | 'real';

type ResourceClass = abstract new () => object;

interface Operator {
  readonly page: string;
  readonly run: ResourceClass;
  readonly versions?: readonly ResourceClass[];
  readonly prepare?: () => Promise<void>;
}

const OPERATORS: readonly Operator[] = [
  { page: 'kubebuilder', run: CronJob, versions: [CronJobV2], prepare: oneMinuteAhead },
  { page: 'operator-sdk', run: Memcached },
  { page: 'kopf', run: EphemeralVolumeClaim, prepare: createVolume },
  { page: 'java-operator-sdk', run: WebPage },
  { page: 'kubeops', run: TestEntity, versions: [TestEntityV1, TestEntityV2] },
  { page: 'kube-rs', run: ConfigMapGenerator },
  { page: 'client-node', run: TeamLabels },
];
const root = join(import.meta.dirname, '..', '..', '..');
let cluster: SuiteControlPlane;
let client: Client;
let kubectl: string;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  const kinds = OPERATORS.flatMap(({ run, versions = [] }) => [run, ...versions]).filter((kind) => kind !== TeamLabels);
  await installKinds(client, kinds);
  await restartGarbageCollector(cluster);
  ({ kubectl } = await findBinaries());
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

/** A run is due a minute after the creation of a CronJob. */
function oneMinuteAhead(): Promise<void> {
  jest.spyOn(Clock.prototype, 'now').mockImplementation(() => Date.now() + 60_000);
  return Promise.resolve();
}

async function createVolume(): Promise<void> {
  await client.delete(StorageClass, 'standard').catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  await client.create(StorageClass, STORAGE_CLASS);
  await client.create(PersistentVolume, VOLUME);
}

describe.each(OPERATORS)('the page for users of $page', ({ page, run, prepare }) => {
  let manager: RunningManager;
  let session: ShellSession;

  beforeAll(async () => {
    await prepare?.();
    session = new ShellSession(cluster.kubeconfig, kubectl, {});
    let onServing = (): void => undefined;
    const serving = new Promise<void>((resolve) => (onServing = resolve));
    const hasWebhooks = [CronJob, Memcached, TestEntity].includes(run as never);
    const webhooks = hasWebhooks ? { webhooks: { register: client, onServing } } : {};
    manager = await RunningManager.start(client, [run], webhooks);
    if (hasWebhooks) await serving;
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await session.end();
    await manager.stop();
  });

  test('its commands lead to the output that it shows, and to the states of the recorded original', async () => {
    // Pods of Jobs end, and volumes are bound, on the real control plane only.
    const isCompared = E2E_SERVER === 'real' && RESOURCES[page] !== undefined;
    const recorded = isCompared ? [...readRecording(page).steps] : [];
    for (const step of stepsOf(`docs/coming-from/${page}.md`)) {
      if ('file' in step) session.project.write({ [step.file]: step.content });
      else {
        await performCommand(step, async (command) => {
          const { exitCode, stdout, stderr } = await session.run(command);
          return { status: exitCode, output: stdout + stderr };
        });
        if (isCompared && isChange(step.command)) await expectStates(step.command, recorded.shift());
      }
    }
    expect(recorded).toEqual([]);
    const errors = manager.logger.lines.filter(({ level }) => level === 'error').map((line) => inspect(line));
    const failures = errors.filter((line) => !line.includes('Simulating error'));
    expect(failures).toEqual([]);
  });

  async function expectStates(command: string, step: RecordedStep | undefined): Promise<void> {
    if (step?.command !== command) throw new Error(`the recording has ${String(step?.command)} instead of ${command}`);
    const expected = expectedStates(page, step);
    await eventually(
      async () => {
        const states = await statesIn({ kubectl, kubeconfig: cluster.kubeconfig }, RESOURCES[page] ?? []);
        expect({ command, states: comparable(states) }).toEqual({ command, states: expected });
      },
      { timeout: '60s' },
    );
  }

  test('it states the lines of the operator, without blank ones and comments', () => {
    const text = readFileSync(join(root, 'docs', 'coming-from', `${page}.md`), 'utf8');
    const [, stated] = /^\| lines of .*\| *(\d+)(?:, with the types)? +\|$/m.exec(text) ?? [];
    const [, example] = /\(\.\.\/examples\/([\w-]+\.ts)\)/.exec(text) ?? [];
    if (stated === undefined) return;
    expect(Number(stated)).toBe(
      codeLines(readFileSync(join(root, 'docs', 'examples', basename(example ?? '')), 'utf8')),
    );
  });
});

function codeLines(source: string): number {
  const withoutComments = source.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return withoutComments.split('\n').filter((line) => line.trim() !== '').length;
}
