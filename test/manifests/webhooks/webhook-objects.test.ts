import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../../../src/manifests/operator.js';
import { ConfigMap } from '../../../src/api/kinds/kinds.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import type { ResourceClass } from '../../../src/resource/model.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import type { Review } from '../../../src/resource/review.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends CustomResource {
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) size?: string;

  reconcile(): void {
    return undefined;
  }

  @Mutate() fill(): void {
    this.zone ??= 'a';
    this.size ??= 'small';
  }

  @Mutate({ timeoutSeconds: 9, sideEffects: 'NoneOnDryRun' }) compute(review: Review<PodSet>): void {
    this.size ??= review.namespace === 'prod' ? 'large' : 'small';
  }

  @Validate({ on: ['DELETE'], namespaceSelector: { matchLabels: { team: 'a' } } }) keep(): void {
    return undefined;
  }
}

const sources = buildResourceModels([PodSet]).map((model) => ({ model, sourceFile: 'operators/podset.ts' }));

function files(options: ManifestOptions = {}): Record<string, UnstructuredObject[]> {
  const generated = generateManifests(sources, options).filter(({ path }) => path.startsWith('podset/'));
  return Object.fromEntries(
    generated.map(({ path, content }) => [
      path.slice('podset/'.length),
      parseYamlDocuments(content, path) as UnstructuredObject[],
    ]),
  );
}

function warnings(options: ManifestOptions = {}): string[] {
  const found: string[] = [];
  generateManifests(sources, { ...options, warn: (message) => found.push(message) });
  return found;
}

const kindsIn = (objects: readonly UnstructuredObject[] | undefined) => objects?.map(({ kind }) => kind);

describe('the manifests of an operator with webhooks', () => {
  test('configurations of webhooks are applied last', () => {
    const all = files();
    expect(Object.keys(all).slice(4)).toEqual([
      '05-certificates.yaml',
      '06-webhook-service.yaml',
      '07-deployment.yaml',
      '08-webhooks.yaml',
    ]);
    expect(kindsIn(all['05-certificates.yaml'])).toEqual(['Secret']);
    expect(kindsIn(all['07-deployment.yaml'])).toEqual(['Deployment', 'PodDisruptionBudget']);
    expect(kindsIn(all['08-webhooks.yaml'])).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
    ]);
  });

  test.each<LayoutName>(['plain', 'kustomize', 'helm'])(
    'the manifests contain no caBundle and no key in layout %s (G18)',
    (layout) => {
      for (const certificates of ['self', 'cert-manager', 'files'] as const) {
        const text = generateManifests(sources, { layout, certificates })
          .map(({ content }) => content)
          .join('');
        expect(text).toContain('path: /mutate-apps-example-com-podset');
        expect(text).not.toMatch(/caBundle|BEGIN|tls\.key/);
      }
    },
  );

  test('the manifests contain an empty Secret for the authority of the operator, which issues its certificates itself', () => {
    const all = files();
    expect(all['05-certificates.yaml']).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: 'podset-webhook-ca',
          namespace: 'podset-system',
          labels: expect.objectContaining({ 'app.kubernetes.io/name': 'podset' }),
        },
        type: 'Opaque',
      },
    ]);
    const deployment = JSON.stringify(all['07-deployment.yaml']);
    expect(deployment).toContain('"--webhook-authority=podset"');
    expect(deployment).not.toContain('secretName');
    expect(all['08-webhooks.yaml']?.[0]?.metadata).not.toHaveProperty('annotations');
  });

  test('the operator may write its own Secret, configurations and definitions only, each by name', () => {
    const rules = (options: ManifestOptions) =>
      files(options)
        ['02-roles.yaml']?.filter(({ metadata }) => /^podset-(sets-)?webhook-certificates-role$/.test(metadata.name))
        .map(({ kind, metadata, rules: granted }) => ({ kind, namespace: metadata.namespace, rules: granted }));
    const verbs = ['get', 'patch', 'watch'];
    const apiGroups = ['admissionregistration.k8s.io'];
    expect(rules({ namespace: 'sets', watchNamespaces: ['a'] })).toEqual([
      {
        kind: 'Role',
        namespace: 'sets',
        rules: [
          { apiGroups: [''], resources: ['secrets'], resourceNames: ['podset-webhook-ca'], verbs: ['get', 'update'] },
          { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
        ],
      },
      {
        kind: 'ClusterRole',
        namespace: undefined,
        rules: [
          {
            apiGroups,
            resources: ['mutatingwebhookconfigurations'],
            resourceNames: ['podset-sets-mutating-webhook-configuration'],
            verbs,
          },
          {
            apiGroups,
            resources: ['validatingwebhookconfigurations'],
            resourceNames: ['podset-sets-validating-webhook-configuration'],
            verbs,
          },
        ],
      },
    ]);
    expect(rules({ certificates: 'cert-manager' })).toEqual([]);
  });

  test('the operator may write Events about its configurations, which are in the namespace default', () => {
    const namespacesWithEvents = (options: ManifestOptions) =>
      files(options)
        ['02-roles.yaml']?.filter(({ metadata }) => !/-(admin|editor|viewer)-role$/.test(metadata.name))
        .filter(({ rules }) => JSON.stringify(rules).includes('events.k8s.io'))
        .map(({ metadata: { name, namespace } }) => (namespace ? `${namespace}/${name}` : name));
    expect(namespacesWithEvents({})).toEqual(['podset-manager-role']);
    expect(namespacesWithEvents({ namespace: 'sets', watchNamespaces: ['a'] })).toEqual([
      'a/podset-manager-role',
      'sets/podset-webhook-certificates-role',
      'default/podset-sets-webhook-events-role',
    ]);
    expect(namespacesWithEvents({ certificates: 'cert-manager', watchNamespaces: ['a'] })).toEqual([
      'a/podset-manager-role',
    ]);
  });

  test('cert-manager can issue the certificate and inject its authority', () => {
    const { '05-certificates.yaml': certificates, '08-webhooks.yaml': configurations } = files({
      namespace: 'sets',
      certificates: 'cert-manager',
    });
    expect(certificates?.[1]).toMatchObject({
      metadata: { name: 'podset-serving-cert', namespace: 'sets' },
      spec: {
        dnsNames: ['podset-webhook-service.sets.svc', 'podset-webhook-service.sets.svc.cluster.local'],
        secretName: 'podset-webhook-server-cert',
      },
    });
    expect(configurations?.map(({ metadata }) => metadata.annotations)).toEqual([
      { 'cert-manager.io/inject-ca-from': 'sets/podset-serving-cert' },
      { 'cert-manager.io/inject-ca-from': 'sets/podset-serving-cert' },
    ]);
  });

  test('with certificates files the user provides certificate and authority', () => {
    const all = files({ certificates: 'files' });
    expect(Object.keys(all)).not.toContain('05-certificates.yaml');
    expect(all['08-webhooks.yaml']?.[0]?.metadata).not.toHaveProperty('annotations');
    expect(JSON.stringify(all['07-deployment.yaml'])).toContain('"secretName":"podset-webhook-server-cert"');
  });

  test('webhooks select the watched namespaces, with names of this installation', () => {
    const { '08-webhooks.yaml': configurations } = files({ namespace: 'sets', watchNamespaces: ['a', 'b'] });
    const restriction = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'b'] };
    expect(configurations?.map(({ metadata }) => metadata.name)).toEqual([
      'podset-sets-mutating-webhook-configuration',
      'podset-sets-validating-webhook-configuration',
    ]);
    expect(configurations?.[1]).toMatchObject({
      webhooks: [{ namespaceSelector: { matchLabels: { team: 'a' }, matchExpressions: [restriction] } }],
    });
  });

  test('an operator with webhooks and one replica has no disruption budget, and a warning (G16)', () => {
    const deployment = { replicas: 1 };
    expect(kindsIn(files({ deployment })['07-deployment.yaml'])).toEqual(['Deployment']);
    expect(warnings({ deployment })).toContain(
      'PodSet: with fewer than 2 replicas of podset, writes fail whenever the pod restarts; set deployment.replicas to 2',
    );
  });
});

test('warnings name methods with a risk that another way does not have (G2, G3, G9, G10)', () => {
  expect(warnings()).toEqual([
    'PodSet.fill: sets constants only; @Field({ default }) does so without a running operator',
    'PodSet.compute: timeoutSeconds 9: with failurePolicy Fail, each write may wait that long while the operator does not answer',
    'PodSet.compute: sideEffects is NoneOnDryRun, but the method does not read review.dryRun',
    `PodSet.keep: objects cannot be deleted while the operator does not run; failurePolicy: 'Ignore' permits deletions, 'Fail' accepts that`,
  ]);
});

test('a failurePolicy that the class states accepts that deletions need the operator (G10)', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Kept extends CustomResource {
    reconcile(): void {
      return undefined;
    }
    @Validate({ on: ['DELETE'], failurePolicy: 'Fail' }) keep(): void {
      return undefined;
    }
  }

  @Admission(ConfigMap, { failurePolicy: 'Fail' })
  class KeptMaps {
    @Validate({ on: ['DELETE'] }) keep(): void {
      return undefined;
    }
  }

  @Admission(ConfigMap)
  class OtherMaps {
    @Validate({ on: ['DELETE'] }) keep(): void {
      return undefined;
    }
  }
  const found: string[] = [];
  const models = buildResourceModels([Kept, KeptMaps, OtherMaps] as ResourceClass[]);
  const all = models.map((model) => ({ model, sourceFile: `${model.target.name}.ts` }));
  generateManifests(all, { warn: (text) => found.push(text) });
  expect(found.filter((text) => text.includes('cannot be deleted'))).toEqual([
    expect.stringMatching(/^OtherMaps.keep: /),
  ]);
});

test('a long timeout with failurePolicy Ignore causes a warning sooner than with Fail (G3)', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Patient extends CustomResource {
    reconcile(): void {
      return undefined;
    }
    @Validate({ timeoutSeconds: 4 }) strict(): void {
      return undefined;
    }
    @Validate({ timeoutSeconds: 4, failurePolicy: 'Ignore' }) lax(): void {
      return undefined;
    }
  }
  const [model] = buildResourceModels([Patient]);
  const found: string[] = [];
  generateManifests([{ model: model!, sourceFile: 'patient.ts' }], { warn: (text) => found.push(text) });
  expect(found.filter((text) => /timeoutSeconds/.test(text))).toEqual([
    'Patient.lax: timeoutSeconds 4: with failurePolicy Ignore, each write may wait that long while the operator does not answer',
  ]);
});

test('an expression that does not compile is an error of its method (G7)', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class Matched extends CustomResource {
    reconcile(): void {
      return undefined;
    }
    @Validate({ match: 'object.spec.size >' }) check(): void {
      return undefined;
    }
  }
  const [model] = buildResourceModels([Matched]);
  expect(() => generateManifests([{ model: model!, sourceFile: 'matched.ts' }])).toThrow(
    /Matched\.check: match is not a valid CEL expression: ERROR: <input>:1:/,
  );
});

describe('a class with webhooks but no reconcile', () => {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  abstract class Zone extends CustomResource {
    @Validate() check(): void {
      return undefined;
    }
  }
  const [model] = buildResourceModels([Zone]);
  const zones = [{ model: model!, sourceFile: 'operators/zone.ts' }];
  const objectsOf = (layout: LayoutName) =>
    generateManifests(zones, { layout }).filter(({ path }) => path.startsWith('zone/'));

  test('the Deployment of a class with webhooks but no reconcile has no leader election, and permissions for its certificates only', () => {
    const files = Object.fromEntries(objectsOf('plain').map(({ path, content }) => [path, content]));
    expect(files['zone/03-role-bindings.yaml']?.match(/  name: zone-.*-role$/gm)).toEqual([
      '  name: zone-webhook-certificates-role',
      '  name: zone-webhook-certificates-role',
      '  name: zone-webhook-events-role',
    ]);
    expect(files['zone/02-roles.yaml']).not.toMatch(/leases|name: zone-manager-role/);
    expect(files['zone/07-deployment.yaml']).toContain('--webhook-authority=zone');
    expect(files['zone/07-deployment.yaml']).not.toContain('--leader-elect');
    expect(files['zone/08-webhooks.yaml']).toContain('path: /validate-apps-example-com-zone');
  });

  test('the chart of a class with webhooks but no reconcile has no value for leader election', () => {
    const values = objectsOf('helm').find(({ path }) => path.endsWith('/values.yaml'));
    expect(values?.content).toContain('replicas: 2');
    expect(values?.content).not.toContain('leaderElection');
  });
});

test.each(['helm', 'kustomize'] as const)(
  'the NetworkPolicy of metrics in the layout %s permits calls of webhooks',
  (layout) => {
    const policies = generateManifests(sources, { layout }).filter(({ content }) =>
      content.includes('kind: NetworkPolicy'),
    );
    expect(policies).toHaveLength(1);
    const ingress = policies[0]!.content.slice(policies[0]!.content.indexOf('ingress:')).replaceAll(/ +/g, ' ');
    expect(ingress).toContain('\n - ports:\n - port: 9443\n protocol: TCP');
  },
);
