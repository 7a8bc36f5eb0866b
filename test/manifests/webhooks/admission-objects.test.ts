import { describe, expect, test } from '@jest/globals';
import { Namespace, Pod } from '../../../src/api/kinds/kinds.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { LayoutName, ManifestOptions } from '../../../src/manifests/operator.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { Admission } from '../../../src/resource/decorators/admission.js';
import { Mutate } from '../../../src/resource/decorators/mutate.js';
import { Policy } from '../../../src/resource/decorators/policy.js';
import { Validate } from '../../../src/resource/decorators/validate.js';
import type { ResourceClass } from '../../../src/resource/model.js';

describe('a class with @Admission', () => {
  @Admission(Pod, { namespaceSelector: { matchLabels: { team: 'a' } } })
  class TeamPods {
    @Mutate() label(): void {
      return undefined;
    }
    @Validate() check(): void {
      return undefined;
    }
    @Validate({ failurePolicy: 'Ignore' }) hint(): void {
      return undefined;
    }
  }
  @Admission(Namespace, { failurePolicy: 'Ignore' })
  class Namespaces {
    @Validate() check(): void {
      return undefined;
    }
  }
  const sourcesOf = (...classes: ResourceClass[]) =>
    buildResourceModels(classes).map((model) => ({ model, sourceFile: 'operators/team-pods.ts' }));
  const webhooksOf = (options: ManifestOptions, ...classes: ResourceClass[]) => {
    const file = generateManifests(sourcesOf(...classes), options).find(({ path }) =>
      path.endsWith('08-webhooks.yaml'),
    );
    const objects = parseYamlDocuments(file!.content, file!.path) as UnstructuredObject[];
    return objects.flatMap((object) => object['webhooks'] as readonly Record<string, unknown>[]);
  };
  const excluded = (namespace: string) => ({
    key: 'kubernetes.io/metadata.name',
    operator: 'NotIn',
    values: ['kube-system', 'kube-node-lease', namespace],
  });

  test('a class with @Admission has no definition, sample or user role', () => {
    const generated = generateManifests(sourcesOf(TeamPods));
    expect(generated.map(({ path }) => path).filter((path) => !path.startsWith('team-pods/'))).toEqual(['Dockerfile']);
    expect(generated.map(({ content }) => content).join('')).not.toContain('viewer-role');
  });

  test('a class with @Admission never reviews the namespaces of the operator and of the cluster (G4, G6)', () => {
    for (const { namespaceSelector } of webhooksOf({ namespace: 'teams' }, TeamPods))
      expect(namespaceSelector).toEqual({ matchLabels: { team: 'a' }, matchExpressions: [excluded('teams')] });
    expect(webhooksOf({ namespace: 'teams' }, Namespaces)[0]!['namespaceSelector']).toEqual({
      matchExpressions: [excluded('teams')],
    });
  });

  test('a class with @Admission(Namespace) selects namespaces by their own labels (G5)', () => {
    @Admission(Namespace, { namespaceSelector: { matchLabels: { team: 'a' } } })
    @Policy('object.metadata.name != "a"', { namespaceSelector: { matchLabels: { team: 'a' } } })
    class SomeNamespaces {
      @Validate() check(): void {
        return undefined;
      }
    }
    const selector = { matchLabels: { team: 'a' }, matchExpressions: [excluded('teams')] };
    expect(webhooksOf({ namespace: 'teams' }, SomeNamespaces)).toEqual([
      expect.objectContaining({ failurePolicy: 'Fail', namespaceSelector: selector }),
    ]);
  });

  test('a class with @Admission changes objects only while the operator responds, and has webhooks of its own name', () => {
    const shown = webhooksOf({}, TeamPods).map(({ name, failurePolicy, timeoutSeconds }) => [
      name,
      failurePolicy,
      timeoutSeconds,
    ]);
    expect(shown).toEqual([
      ['mutate.team-pods.pods', 'Ignore', 3],
      ['validate.team-pods.pods', 'Fail', 3],
      ['ignore.validate.team-pods.pods', 'Ignore', 3],
    ]);
  });

  test.each<LayoutName>(['plain', 'kustomize', 'helm'])(
    'a class with @Admission has manifests in layout %s',
    (layout) => {
      const text = generateManifests(sourcesOf(TeamPods), { layout })
        .map(({ content }) => content)
        .join('');
      expect(text).toContain('path: /validate-pod-team-pods');
      if (layout === 'helm') expect(text).toMatch(/- kube-node-lease\n +- .*\.Release\.Namespace/);
    },
  );
});
