import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../src/api/json-schema.js';
import { kindKey, resourcePath, type KindRef, type ObjectOf } from '../../src/api/kind-ref.js';
import * as kinds from '../../src/api/kinds.js';
import type { Desired, KubeObject, ObjectMeta } from '../../src/api/kube-object.js';

const all: readonly KindRef[] = Object.values(kinds);

describe('the kinds of Kubernetes', () => {
  test('are each a resource of their own', () => {
    expect(new Set(all.map(kindKey)).size).toBe(all.length);
  });

  test('have the paths the API server serves them at', () => {
    expect(resourcePath(kinds.Pod, 'default', 'p', 'status')).toBe('/api/v1/namespaces/default/pods/p/status');
    expect(resourcePath(kinds.Deployment)).toBe('/apis/apps/v1/deployments');
    expect(resourcePath(kinds.RuntimeClass, 'ignored', 'r')).toBe('/apis/node.k8s.io/v1/runtimeclasses/r');
  });

  test('have the bare name in the preferred version and a suffix in others', () => {
    expect(kinds.HorizontalPodAutoscaler).toMatchObject({ version: 'v2', kind: 'HorizontalPodAutoscaler' });
    expect(kinds.HorizontalPodAutoscalerV1).toMatchObject({ version: 'v1', kind: 'HorizontalPodAutoscaler' });
  });

  test('carry their group in the name where two groups have the kind', () => {
    expect(kinds.CoreEvent).toMatchObject({ group: '', kind: 'Event' });
    expect(kinds.EventsEvent).toMatchObject({ group: 'events.k8s.io', kind: 'Event' });
  });
});

type Probe<A> = <T>() => T extends A ? 1 : 2;
type Same<A, B> = Probe<A> extends Probe<B> ? true : false;

/** Compiles only when the two types are the same; the compiler is what tests here. */
function same<A, B>(is: Same<A, B>): void {
  expect(is).toBe(true);
}

type Container = NonNullable<kinds.Pod['spec']>['containers'][number];
type LifecycleHandler = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;
type IngressRule = NonNullable<NonNullable<kinds.NetworkPolicy['spec']>['ingress']>[number];
type DeploymentSpec = NonNullable<kinds.Deployment['spec']>;

describe('the type of an object', () => {
  test('has metadata with a name', () => {
    same<kinds.Deployment['metadata'], ObjectMeta>(true);
    same<kinds.Deployment extends KubeObject ? true : false, true>(true);
  });

  test('has timestamps as strings, with and without microseconds', () => {
    same<kinds.CoreEvent['lastTimestamp'], string | undefined>(true);
    same<kinds.CoreEvent['eventTime'], string | undefined>(true);
    same<NonNullable<kinds.Lease['spec']>['renewTime'], string | undefined>(true);
    same<NonNullable<DeploymentSpec['template']['metadata']>['creationTimestamp'], string | undefined>(true);
  });

  test('keeps maps, quantities, and integers that may be strings', () => {
    same<kinds.ConfigMap['data'], Record<string, string> | undefined>(true);
    same<NonNullable<Container['resources']>['limits'], Record<string, string> | undefined>(true);
    same<NonNullable<LifecycleHandler['httpGet']>['port'], string | number>(true);
    same<DeploymentSpec['replicas'], number | undefined>(true);
  });

  test('has fields under their names in the API', () => {
    same<'from' extends keyof IngressRule ? true : false, true>(true);
    same<'_from' extends keyof IngressRule ? true : false, false>(true);
  });

  test('has the schema of a CRD as the project has it', () => {
    type Version = kinds.CustomResourceDefinition['spec']['versions'][number];
    same<NonNullable<Version['schema']>['openAPIV3Schema'], JsonSchema | undefined>(true);
  });

  test('leaves what may be anything unknown', () => {
    same<kinds.ControllerRevision['data'], unknown>(true);
  });

  test('is found from its reference', () => {
    same<ObjectOf<typeof kinds.Deployment>, kinds.Deployment>(true);
  });

  test('serves as the base of an object to apply', () => {
    const labels = { app: 'web' };
    const container = { name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const desired: Desired<kinds.Deployment> = {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template },
    };
    expect(desired.spec?.template).toBe(template);
  });
});
