import type { KindRef } from '../../api/kind-ref.js';
import { violation } from '../fields/conformity.js';
import type { SampleOptions } from '../decorators/sample.js';
import type { Diagnostics } from '../diagnostics.js';
import { isDns1123Label, isDns1123Subdomain } from './names.js';
import type { ClassModel } from '../fields/value-model.js';

/** Metadata fields that samples state at the top level. */
const SAMPLE_METADATA: readonly string[] = ['name', 'namespace', 'labels', 'annotations'];

/** Adds diagnostics for samples that the API server would reject. */
export function collectSamples(
  classModel: ClassModel,
  kind: KindRef,
  samples: readonly (SampleOptions | undefined)[],
  diagnostics: Diagnostics,
): void {
  const { target } = classModel;
  for (const [index, sample] of samples.entries()) {
    const name: unknown = sample?.name;
    const report = (problem: string, hint: string): void => {
      diagnostics.add(
        { target, decorator: { target, name: 'Sample', index } },
        `@Sample${typeof name === 'string' ? ` '${name}'` : ''}: ${problem}`,
        hint,
      );
    };
    if (typeof name !== 'string') report('name is missing', `@Sample({ name: 'example', spec: { … } })`);
    else if (!isDns1123Subdomain(name)) report('is not a valid object name (RFC 1123 subdomain)', `name: 'example'`);
    if (!sample) continue;
    if (sample.namespace !== undefined && (kind.scope === 'Cluster' || !isDns1123Label(sample.namespace)))
      report(kind.scope === 'Cluster' ? 'the kind is cluster-scoped' : 'has an invalid namespace', 'remove namespace');
    const problem = violation(sampleFields(sample), rootValue(classModel));
    if (problem !== undefined) report(problem, 'use an object that the schema allows');
  }
}

/** A sample without its metadata. */
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
