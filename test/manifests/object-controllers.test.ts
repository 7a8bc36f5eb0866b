import { describe, expect, test } from '@jest/globals';
import { ConfigMap, Ingress } from '../../src/api/kinds.js';
import type { UnstructuredObject } from '../../src/api/kube-object.js';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import type { ResourceModel } from '../../src/resource/model.js';
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

describe('an operator with a controller of a kind that is defined elsewhere', () => {
  const [model] = buildResourceModels([Addresses]) as [ResourceModel];
  const sources = [{ model, sourceFile: 'operators/addresses.ts' }];

  test('has no definition, no samples and no roles for users', () => {
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

  test('may read and watch the kind, and patch its status', () => {
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

  test('has a chart without options for definitions', () => {
    const files = generateManifests(sources, { layout: 'helm' });
    expect(files.map(({ path }) => path)).not.toContain('addresses/chart/templates/definitions.yaml');
    expect(files.filter(({ path, content }) => path.startsWith('addresses/') && content.includes('crd'))).toEqual([]);
  });

  test('next to a class with @Kind of the same kind, shares its definition and its roles', () => {
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
