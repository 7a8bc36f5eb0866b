import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import {
  CustomResourceDefinition,
  Job,
  kindByName,
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  type KubeObject,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { limitTests } from '../../time-limits.js';
import { Installation, LAYOUTS } from './installation.js';
import { SimulatedCluster } from './simulated-cluster.js';

limitTests(120_000);

interface PhasedObject extends KubeObject {
  spec: Record<string, unknown>;
  status?: { phase?: string; lastBackup?: string };
}

const group = 'backup.acme.io';
const Backup = kindByName<PhasedObject>({ group, version: 'v1', kind: 'Backup' });
const BackupV2 = kindByName<PhasedObject>({ group, version: 'v2', kind: 'Backup' });
const BackupPlan = kindByName<PhasedObject>({ group, version: 'v1', kind: 'BackupPlan' });
const namespace = 'team';

let cluster: SimulatedCluster;
let before: string[];
beforeAll(async () => {
  cluster = await SimulatedCluster.start();
  before = await cluster.contents();
});
afterAll(() => cluster.stop());

const named = (name: string) => ({ name, namespace });

function completed(kind: typeof Backup, name: string): Promise<void> {
  return eventually(
    async () => expect((await cluster.client.get(kind, name, { namespace })).status?.phase).toBe('Complete'),
    { timeout: '30s' },
  );
}

/** A claim with a volume, without which no pod that mounts it is scheduled. */
async function createClaim(name: string): Promise<void> {
  const capacity = { storage: '1Gi' };
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const claimRef = { name, namespace };
  const volume = { ...shared, capacity, claimRef, hostPath: { path: '/files' } };
  await cluster.client.create(PersistentVolume, { metadata: { name }, spec: volume });
  const claim = { ...shared, volumeName: name, resources: { requests: capacity } };
  await cluster.client.create(PersistentVolumeClaim, { metadata: named(name), spec: claim });
}

describe.each(LAYOUTS)('the backup operator in the layout %s', (layout) => {
  let operator: Installation;
  beforeAll(() => {
    operator = new Installation(layout, cluster, 'backups', join(import.meta.dirname, 'backup'));
  });

  test(`${layout}: release 1 runs the Jobs of backups and plans, and one more before a backup is deleted`, async () => {
    const { client } = cluster;
    await operator.apply(1);
    await operator.rollOut();
    await client.create(Namespace, { metadata: { name: namespace } });
    await client.create(BackupPlan, { metadata: named('files'), spec: { claim: 'files' } });
    await createClaim('files');
    for (const name of ['photos', 'videos'])
      await client.create(Backup, { metadata: named(name), spec: { claim: 'files' } });
    for (const name of ['photos', 'videos']) await completed(Backup, name);
    const planned = await eventually(async () => {
      const { status } = await client.get(BackupPlan, 'files', { namespace });
      expect(status?.lastBackup).toMatch(/^files-\d+$/);
      return status?.lastBackup ?? '';
    });
    await completed(Backup, planned);
    const { spec } = await client.get(Job, 'photos-save', { namespace });
    expect(spec?.template.spec?.containers[0]).toMatchObject({
      image: 'registry.acme.io/archiver:1',
      args: ['save', '--keep=30d'],
    });
    await cluster.kubectl('delete', 'backup', 'videos', '--namespace', namespace, '--timeout=30s');
  });

  test(`${layout}: release 2 stores another version, and needs no Job before a backup is deleted`, async () => {
    const { client } = cluster;
    await operator.apply(2);
    await operator.rollOut();
    expect((await client.get(BackupV2, 'photos', { namespace })).spec).toEqual({
      source: { claim: 'files' },
      retention: { days: 30 },
    });
    await client.create(BackupV2, { metadata: named('folder'), spec: { source: { claim: 'files', folder: 'a' } } });
    expect((await client.get(Backup, 'folder', { namespace })).spec).toEqual({ claim: 'files', keepDays: 30 });
    await completed(BackupV2, 'folder');
    await operator.command('kindwright', 'migrate-storage', 'release-2/backups.ts', ...operator.access);
    const definition = await client.get(CustomResourceDefinition, `backups.${group}`);
    expect(definition.status?.storedVersions).toEqual(['v2']);
    await cluster.kubectl('delete', 'backup', 'photos', '--namespace', namespace, '--timeout=30s');
    expect((await client.list(Job, { namespace })).items.map(({ metadata }) => metadata.name)).not.toContain(
      'photos-remove',
    );
  });

  test(`${layout}: nothing is left after the objects are deleted and the operator is uninstalled`, async () => {
    await cluster.kubectl('delete', 'backupplans', '--all', '--namespace', namespace, '--timeout=30s');
    await cluster.kubectl('delete', 'backups', '--all', '--namespace', namespace, '--timeout=30s');
    await operator.uninstall();
    await cluster.kubectl('delete', 'namespace', namespace);
    await cluster.kubectl('delete', 'persistentvolume', 'files');
    await eventually(async () => expect(await cluster.contents()).toEqual(before), { timeout: '50s' });
  });
});
