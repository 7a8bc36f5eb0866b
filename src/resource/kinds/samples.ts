import type { KindRef } from '../../api/kind-ref.js';
import { nonconformity } from '../fields/conformity.js';
import type { SampleOptions } from '../decorators/sample.js';
import type { Diagnostics } from '../diagnostics.js';
import { isDns1123Label, isDns1123Subdomain } from './names.js';
import type { ClassModel } from '../fields/value-model.js';

/** The short ways to give metadata. */
const SAMPLE_METADATA: readonly string[] = ['name', 'namespace', 'labels', 'annotations'];

/** Checks examples against the schema, so that none is published that the API server refuses. */
export function checkSamples(
  classModel: ClassModel,
  kind: KindRef,
  samples: readonly SampleOptions[],
  diagnostics: Diagnostics,
): void {
  const { target } = classModel;
  for (const [index, sample] of samples.entries()) {
    const wrong = (problem: string, hint: string): void => {
      diagnostics.add(
        { target, decorator: { target, name: 'Sample', index } },
        `@Sample '${sample.name}': ${problem}`,
        hint,
      );
    };
    if (!isDns1123Subdomain(sample.name)) wrong('is no name of an object', `name: 'example'`);
    if (sample.namespace !== undefined && (kind.scope === 'Cluster' || !isDns1123Label(sample.namespace)))
      wrong(kind.scope === 'Cluster' ? 'the kind has no namespaces' : 'is in no valid namespace', 'remove namespace');
    const problem = nonconformity(sampleFields(sample), rootValue(classModel));
    if (problem !== undefined) wrong(problem, 'give an object that the schema allows');
  }
}

/** An example without its metadata. */
function sampleFields(sample: SampleOptions): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !SAMPLE_METADATA.includes(name)));
}

function rootValue(classModel: ClassModel) {
  return {
    type: 'object',
    description: undefined,
    rules: classModel.rules,
    class: classModel,
    items: undefined,
    values: undefined,
  } as const;
}
