import { expect, test } from '@jest/globals';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { ManifestOptions } from '../../../src/manifests/operator.js';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { Finalizer } from '../../../src/resource/decorators/finalizer.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { Sound } from '../../resource/mistakes/classes.js';

@Kind({ group: 'apps.example.com', version: 'v1' })
class Vault extends Sound {
  @Finalizer('apps.example.com/close')
  close(): void {}
}

@Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
class Site extends Sound {
  @Finalizer('apps.example.com/leave')
  leave(): void {}
}

@Kind({ group: 'apps.example.com', version: 'v1' })
class Plain extends Sound {}

/** The template of the hook for operators of one file. */
function hook(classes: readonly (typeof Sound)[], options: ManifestOptions = {}): string | undefined {
  const sources = buildResourceModels(classes).map((model) => ({ model, sourceFile: 'operators/storage.ts' }));
  const files = generateManifests(sources, { ...options, layout: 'helm' });
  return files.find(({ path }) => path.endsWith('/templates/uninstall-hook.yaml'))?.content;
}

/** The kind, name, namespace and resources of each role in the text. */
function roles(text = ''): string[] {
  return text
    .split('---\n')
    .filter((object) => /^kind: (Cluster)?Role$/m.test(object))
    .map((object) => {
      const of = (pattern: RegExp) => pattern.exec(object)?.[1] ?? '';
      const resources = [...object.matchAll(/^ {6}- (vaults|sites)$/gm)].map(([, name]) => name).sort();
      return [of(/^kind: (.*)$/m), of(/^ {2}namespace: (.*)$/m), ...resources].join(' ');
    });
}

test('a chart without finalizers has no hook', () => {
  expect(hook([Plain])).toBeUndefined();
});

test('the hook of an operator for all namespaces may delete the kinds with finalizers everywhere', () => {
  expect(roles(hook([Vault, Site, Plain]))).toEqual(['ClusterRole  sites vaults']);
});

test('the hook of an operator for some namespaces may delete objects there, and those of the cluster', () => {
  const text = hook([Vault, Site], { watchNamespaces: ['a', 'b'] });
  expect(roles(text)).toEqual(['ClusterRole  sites', 'Role a vaults', 'Role b vaults']);
  expect(text).toMatch(/- --delete-objects\n *- --namespace=a\n *- --namespace=b\n/);
});
