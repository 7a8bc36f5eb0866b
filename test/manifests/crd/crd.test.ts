import { describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYaml } from '../../../src/base/yaml.js';
import { customResourceDefinition } from '../../../src/manifests/crd/crd.js';
import { goldenFolder, readYamlFiles } from '../../tools/golden-crds.js';
import { load, loadOperators } from '../operator-models.js';

const golden = await readYamlFiles(goldenFolder);
const goldenFiles = [...golden.keys()];
/** The operators, and a kind with fields of Kubernetes' own types. */
const sources = [...(await loadOperators()), ...(await load('test/manifests/catalogue.ts'))];

/** The output of controller-gen for the same types, without its version. */
interface GoldenCrd extends UnstructuredObject {
  readonly spec: { readonly versions: { subresources?: object }[] };
}

const isEmpty = (object: object | undefined): boolean => object !== undefined && Object.keys(object).length === 0;

function goldenCrd(file: string): UnstructuredObject {
  const crd = parseYaml(golden.get(file)!, file) as GoldenCrd;
  delete crd.metadata.annotations?.['controller-gen.kubebuilder.io/version'];
  if (Object.keys(crd.metadata.annotations ?? {}).length === 0) delete crd.metadata.annotations;
  // controller-gen writes an empty object for a kind with columns and without subresources; the server drops it.
  for (const version of crd.spec.versions) if (isEmpty(version.subresources)) delete version.subresources;
  return crd;
}

describe('the CustomResourceDefinitions of annotated classes', () => {
  test.each(goldenFiles)('the definition of %s equals the output of controller-gen for the same types', (file) => {
    const source = sources.find(({ model: { kind } }) => file === `${kind.group}_${kind.plural}.yaml`);
    expect(customResourceDefinition(source!.model)).toEqual(goldenCrd(file));
  });

  test('the golden files cover every class', () => {
    expect(sources).toHaveLength(goldenFiles.length);
  });
});
