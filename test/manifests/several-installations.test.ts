import { describe, expect, test } from '@jest/globals';
import { Node } from '../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { byLabel, CustomResource, Field, Kind, Policy, Rbac, Validate, Watches } from '../../src/index.js';
import { generateManifests } from '../../src/manifests/generate.js';
import type { ManifestOptions } from '../../src/manifests/operator.js';
import { buildResourceModels } from '../../src/resource/build-models.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
@Policy('object.metadata.name.size() < 9', 'is too long')
@Watches(Node, byLabel('x'))
@Rbac({ groups: [''], resources: ['secrets'], namespace: 'infra' }, 'get')
@Rbac({ groups: [''], resources: ['persistentvolumes'], roleName: 'volume-reader' }, 'get')
class PodSet extends CustomResource {
  @Field({ optional: true }) size?: string;
  reconcile(): void {}
  @Validate() check(): void {}
}

const sources = buildResourceModels([PodSet]).map((model) => ({ model, sourceFile: 'operators/podset.ts' }));

/** The objects of an installation by kind, namespace and name. */
function objectsOf(options: ManifestOptions): Map<string, UnstructuredObject> {
  const files = generateManifests(sources, { monitoring: true, ...options }).filter(({ path }) =>
    path.endsWith('.yaml'),
  );
  const objects = files.flatMap(({ path, content }) => parseYamlDocuments(content, path) as UnstructuredObject[]);
  return new Map(
    objects.map((object) => {
      const { name, namespace = '' } = object.metadata;
      return [`${object.kind} ${namespace}/${name}`, object];
    }),
  );
}

describe('two installations of an operator that watch different namespaces', () => {
  const first = objectsOf({ namespace: 'one', watchNamespaces: ['a'] });
  const second = objectsOf({ namespace: 'two', watchNamespaces: ['b'] });
  const shared = [...first.keys()].filter((key) => second.has(key));

  test('no object of one replaces a different object of the other', () => {
    expect(shared.filter((key) => JSON.stringify(first.get(key)) !== JSON.stringify(second.get(key)))).toEqual([]);
    expect(shared.map((key) => key.split(' ')[0])).toEqual(expect.arrayContaining(['CustomResourceDefinition']));
  });

  test('bindings refer to roles of the same installation', () => {
    for (const { kind, metadata, roleRef } of first.values() as Iterable<
      UnstructuredObject & { roleRef?: { kind: string; name: string } }
    >) {
      if (!roleRef) continue;
      const namespace = kind === 'RoleBinding' ? (metadata.namespace ?? '') : '';
      expect([...first.keys()]).toContain(`${roleRef.kind} ${namespace}/${roleRef.name}`);
    }
  });
});

test('names of an operator for all namespaces do not contain its namespace', () => {
  expect([...objectsOf({ namespace: 'one' }).keys()].filter((key) => key.startsWith('ClusterRoleBinding'))).toEqual([
    'ClusterRoleBinding /podset-manager-rolebinding',
    'ClusterRoleBinding /volume-reader-rolebinding',
    'ClusterRoleBinding /podset-webhook-certificates-rolebinding',
    'ClusterRoleBinding /podset-metrics-auth-rolebinding',
  ]);
});

test('the chart of an operator for some namespaces looks up a role without a template in its name', () => {
  const files = generateManifests(sources, { layout: 'helm', watchNamespaces: ['a'] });
  const content = (name: string) => files.find(({ path }) => path.endsWith(`templates/${name}.yaml`))?.content ?? '';
  expect(content('checks')).toContain('"ClusterRole" "" "podset-podset-admin-role"');
  expect(content('role-bindings')).toContain('name: podset-{{ .Release.Namespace }}-manager-rolebinding');
});
