import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '../../../src/api/schema/json-schema.js';
import { kindKey, resourcePath, type KindRef, type ObjectOf } from '../../../src/api/kinds/kind-ref.js';
import * as kinds from '../../../src/api/kinds/kinds.js';
import type { Desired, KubeObject, ObjectMeta } from '../../../src/api/objects/kube-object.js';

const all: readonly KindRef[] = Object.values(kinds);

describe('the kinds of Kubernetes', () => {
  test('each kind of Kubernetes is a different resource', () => {
    expect(new Set(all.map(kindKey)).size).toBe(all.length);
  });

  test('each kind of Kubernetes has the path of the API server', () => {
    expect(resourcePath(kinds.Pod, 'default', 'p', 'status')).toBe('/api/v1/namespaces/default/pods/p/status');
    expect(resourcePath(kinds.Deployment)).toBe('/apis/apps/v1/deployments');
    expect(resourcePath(kinds.RuntimeClass, 'ignored', 'r')).toBe('/apis/node.k8s.io/v1/runtimeclasses/r');
  });

  test('a kind has its bare name in the preferred version and a suffix in others', () => {
    expect(kinds.HorizontalPodAutoscaler).toMatchObject({ version: 'v2', kind: 'HorizontalPodAutoscaler' });
    expect(kinds.HorizontalPodAutoscalerV1).toMatchObject({ version: 'v1', kind: 'HorizontalPodAutoscaler' });
  });

  test('kinds with the same name in two groups have the group in their names', () => {
    expect(kinds.CoreEvent).toMatchObject({ group: '', kind: 'Event' });
    expect(kinds.EventsEvent).toMatchObject({ group: 'events.k8s.io', kind: 'Event' });
  });
});

type Probe<A> = <T>() => T extends A ? 1 : 2;
type Same<A, B> = Probe<A> extends Probe<B> ? true : false;

/** Compiles only if the two types are equal; the test is done by the compiler. */
function same<A, B>(is: Same<A, B>): void {
  expect(is).toBe(true);
}

type Container = NonNullable<kinds.Pod['spec']>['containers'][number];
type LifecycleHandler = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;
type IngressRule = NonNullable<NonNullable<kinds.NetworkPolicy['spec']>['ingress']>[number];
type DeploymentSpec = NonNullable<kinds.Deployment['spec']>;

describe('the type of an object', () => {
  test('the type of an object has metadata with a name', () => {
    same<kinds.Deployment['metadata'], ObjectMeta>(true);
    same<kinds.Deployment extends KubeObject ? true : false, true>(true);
  });

  test('the type of an object has timestamps as strings, with and without microseconds', () => {
    same<kinds.CoreEvent['lastTimestamp'], string | undefined>(true);
    same<kinds.CoreEvent['eventTime'], string | undefined>(true);
    same<NonNullable<kinds.Lease['spec']>['renewTime'], string | undefined>(true);
    same<NonNullable<DeploymentSpec['template']['metadata']>['creationTimestamp'], string | undefined>(true);
  });

  test('the type of an object has maps, quantities, and integers that may be strings', () => {
    same<kinds.ConfigMap['data'], Record<string, string> | undefined>(true);
    same<NonNullable<Container['resources']>['limits'], Record<string, string> | undefined>(true);
    same<NonNullable<LifecycleHandler['httpGet']>['port'], string | number>(true);
    same<DeploymentSpec['replicas'], number | undefined>(true);
  });

  test('the type of an object has the field names of the API', () => {
    same<'from' extends keyof IngressRule ? true : false, true>(true);
    same<'_from' extends keyof IngressRule ? true : false, false>(true);
  });

  test('the type of a CRD contains its schema', () => {
    type Version = kinds.CustomResourceDefinition['spec']['versions'][number];
    same<NonNullable<Version['schema']>['openAPIV3Schema'], JsonSchema | undefined>(true);
  });

  test('values of any type are unknown in the type of an object', () => {
    same<kinds.ControllerRevision['data'], unknown>(true);
  });

  test('no class can extend a kind', () => {
    // @ts-expect-error -- a kind is a reference, and the type of fields
    expect(() => class extends kinds.Pod {}).toThrow('Class extends value #<Object>');
  });

  test('the type of an object is derived from its reference', () => {
    same<ObjectOf<typeof kinds.Deployment>, kinds.Deployment>(true);
  });

  test('the type of an object can be the base of an applied object', () => {
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
