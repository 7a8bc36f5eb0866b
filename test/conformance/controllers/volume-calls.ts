import { expect } from '@jest/globals';
import { text, type Json } from '../../e2e/admission/admission-suite.js';
import { conditionOf, phaseOf, type ClusterSuite } from './cluster-suite.js';

const VOLUMES = '/api/v1/persistentvolumes';
export const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';

/** What suites do with volumes, claims and pods. */
export function volumeCalls(current: () => ClusterSuite) {
  /** Names of volumes and classes are the test's own by its namespace. */
  const own = (name: string): string => `${name}-${current().namespace}`;
  const newVolume = (name: string, spec: object = {}, metadata: object = {}): Promise<Json> =>
    current().createGlobal(
      VOLUMES,
      'PersistentVolume',
      own(name),
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: current().namespace,
          hostPath: { path: '/somewhere' },
          ...spec,
        },
      },
      metadata,
    );
  const newClaim = (name: string, spec: object = {}): Promise<Json> =>
    current().create('persistentvolumeclaims', 'PersistentVolumeClaim', name, {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: current().namespace,
        resources: { requests: { storage: '1Gi' } },
        ...spec,
      },
    });
  const newClass = (rest: object): Promise<Json> =>
    current().createGlobal(CLASSES, 'StorageClass', current().namespace, {
      provisioner: 'kubernetes.io/no-provisioner',
      ...rest,
    });
  const newPod = (name: string, claim: string): Promise<Json> =>
    current().create('pods', 'Pod', name, {
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }],
      },
    });
  const claimPath = (name: string): string => current().path('persistentvolumeclaims', name);
  const volumePath = (name: string): string => `${VOLUMES}/${own(name)}`;
  const claimOnce = (name: string, phase: string): Promise<Json> =>
    current().once(claimPath(name), (claim) => phaseOf(claim) === phase);
  const volumeOnce = (name: string, phase: string): Promise<Json> =>
    current().once(volumePath(name), (volume) => phaseOf(volume) === phase);
  /** The real controller looks only every 15 seconds at a claim that nothing happens to. */
  const touch = (claim: string): Promise<Json> =>
    current().patch(claimPath(claim), { metadata: { labels: { touched: 'yes' } } });
  /** Has the claim looked at once the volume can be had. */
  const settle = async (volume: string, claim: string): Promise<void> => {
    await current().once(volumePath(volume), (found) => ['Available', 'Bound'].includes(phaseOf(found)));
    await touch(claim);
  };
  const unscheduled = async (pod: string, message: string): Promise<void> => {
    // The real scheduler may see the pod before the claim or its class, and then reports these as missing.
    const found = await current().once(
      current().path('pods', pod),
      (each) => text(conditionOf(each, 'PodScheduled')?.message) === message,
    );
    expect(conditionOf(found, 'PodScheduled')).toMatchObject({ status: 'False', reason: 'Unschedulable' });
  };

  return {
    own,
    newVolume,
    newClaim,
    newClass,
    newPod,
    claimPath,
    volumePath,
    claimOnce,
    volumeOnce,
    touch,
    settle,
    unscheduled,
  };
}
