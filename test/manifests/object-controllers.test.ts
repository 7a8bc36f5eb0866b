import { describe, expect, test } from '@jest/globals';
import { ConfigMap, Ingress, Secret } from '../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { generateManifests } from '../../src/manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../../src/manifests/operator.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';
import { ObjectController } from '../../src/resource/object-controller.js';
import { Sound } from '../resource/mistakes/classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
class PodSet extends Sound {}

@Controller({ for: Ingress, name: 'addresses', writesStatus: true })
@Owns(ConfigMap)
class Addresses extends ObjectController<Ingress> {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Ingress, name: 'fleet-addresses', writesStatus: true, clusters: 'all' })
@Owns(ConfigMap)
@Rbac(Secret, 'get')
@Rbac({ groups: ['networking.k8s.io'], resources: ['ingresses'], clusters: true }, 'patch')
class FleetAddresses extends ObjectController<Ingress> {
  reconcile(): void {
    return undefined;
  }
}

describe('an operator with a controller of a kind that is defined elsewhere', () => {
  const [model] = buildResourceModels([Addresses]) as [ResourceModel];
  const sources = [{ model, sourceFile: 'operators/addresses.ts' }];

  test('a controller of a kind that is defined elsewhere has no definition, no samples and no roles for users', () => {
    const files = generateManifests(sources);
    expect(files.map(({ path }) => path)).toEqual([
      'Dockerfile',
      'addresses/00-namespace.yaml',
      'addresses/01-service-account.yaml',
      'addresses/02-roles.yaml',
      'addresses/03-role-bindings.yaml',
      'addresses/05-deployment.yaml',
    ]);
    const { content } = files.find(({ path }) => path.endsWith('02-roles.yaml'))!;
    const roles = parseYamlDocuments(content, 'roles') as UnstructuredObject[];
    expect(roles.map(({ metadata }) => metadata.name)).toEqual([
      'addresses-leader-election-role',
      'addresses-manager-role',
    ]);
  });

  test('a controller of a kind that is defined elsewhere may read and watch it, and patch its status', () => {
    const { content } = generateManifests(sources).find(({ path }) => path.endsWith('02-roles.yaml'))!;
    const role = (parseYamlDocuments(content, 'roles') as UnstructuredObject[])[1];
    const group = ['networking.k8s.io'];
    expect(role?.['rules']).toEqual(
      expect.arrayContaining([
        { apiGroups: group, resources: ['ingresses'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: group, resources: ['ingresses/status'], verbs: ['patch'] },
        { apiGroups: group, resources: ['ingresses/finalizers'], verbs: ['update'] },
      ]),
    );
  });

  test('the roles of a controller of other clusters contain only what @Rbac declares for the own one', () => {
    const models = buildResourceModels([FleetAddresses]);
    const files = generateManifests(models.map((each) => ({ model: each, sourceFile: 'operators/fleet.ts' })));
    const { content } = files.find(({ path }) => path.endsWith('02-roles.yaml'))!;
    const role = (parseYamlDocuments(content, 'roles') as UnstructuredObject[])[1];
    expect(role?.['rules']).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ]);
  });

  describe.each<LayoutName>(['plain', 'kustomize', 'helm'])('in the layout %s', (layout) => {
    const accessOf = (target: ResourceClass, options: ManifestOptions = {}): UnstructuredObject[] => {
      const models = buildResourceModels([target]).map((each) => ({ model: each, sourceFile: 'operators/fleet.ts' }));
      const file = generateManifests(models, { layout, ...options }).find(({ path }) =>
        path.includes('member-cluster'),
      );
      if (!file) return [];
      expect(file.path).toBe('fleet-addresses/member-cluster/access.yaml');
      return parseYamlDocuments(file.content, 'access') as UnstructuredObject[];
    };

    test('the access to other clusters has an account with the permissions that the decorators need there', () => {
      const objects = accessOf(FleetAddresses);
      expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
        'Namespace fleet-addresses-system',
        'ServiceAccount fleet-addresses-controller-manager',
        'ClusterRole fleet-addresses-manager-role',
        'ClusterRoleBinding fleet-addresses-manager-rolebinding',
      ]);
      expect(objects[2]?.['rules']).toEqual([
        {
          apiGroups: [''],
          resources: ['configmaps'],
          verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
        },
        { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['get', 'list', 'patch', 'watch'] },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses/finalizers'], verbs: ['update'] },
        { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['patch'] },
      ]);
    });

    test('the access to other clusters has Roles in the watched namespaces', () => {
      const objects = accessOf(FleetAddresses, { watchNamespaces: ['team'] });
      expect(objects.slice(2).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`)).toEqual([
        'Role team',
        'RoleBinding team',
      ]);
    });

    test('a controller of the own cluster has no access to others', () => {
      expect(accessOf(Addresses)).toEqual([]);
    });
  });

  test('the chart of a controller of a kind that is defined elsewhere has no options for definitions', () => {
    const files = generateManifests(sources, { layout: 'helm' });
    expect(files.map(({ path }) => path)).not.toContain('addresses/chart/templates/definitions.yaml');
    expect(files.filter(({ path, content }) => path.startsWith('addresses/') && content.includes('crd'))).toEqual([]);
  });

  test('a controller beside a class with @Kind of the same kind shares its definition and its roles', () => {
    @Controller({ for: PodSet, name: 'podset-labels' })
    class Labels extends ObjectController<PodSet> {
      reconcile(): void {
        return undefined;
      }
    }
    const models = buildResourceModels([PodSet, Labels]);
    const files = generateManifests(models.map((each) => ({ model: each, sourceFile: 'operators/podsets.ts' })));
    const crds = files.filter(({ path }) => path.startsWith('apps.example.com_'));
    expect(crds).toHaveLength(1);
    expect(files.filter(({ path }) => path.endsWith('05-deployment.yaml'))).toHaveLength(1);
  });
});
