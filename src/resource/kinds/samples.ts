import type { KindRef } from '../../api/kinds/kind-ref.js';
import { violation } from '../fields/conformity.js';
import type { SampleOptions } from '../decorators/sample.js';
import type { Problem } from '../model-error.js';
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
    const title = typeof name === 'string' ? `@Sample '${name}'` : '@Sample';
    for (const [problem, hint] of sampleProblems(sample, classModel, kind))
      diagnostics.add({ target, decorator: { target, name: 'Sample', index } }, `${title}: ${problem}`, hint);
  }
}

function* sampleProblems(sample: SampleOptions | undefined, classModel: ClassModel, kind: KindRef): Generator<Problem> {
  const name: unknown = sample?.name;
  if (typeof name !== 'string') yield ['name is missing', `@Sample({ name: 'example', spec: { … } })`];
  else if (!isDns1123Subdomain(name)) yield ['is not a valid object name (RFC 1123 subdomain)', `name: 'example'`];
  if (!sample) return;
  if (sample.namespace !== undefined && (kind.scope === 'Cluster' || !isDns1123Label(sample.namespace)))
    yield [kind.scope === 'Cluster' ? 'the kind is cluster-scoped' : 'has an invalid namespace', 'remove namespace'];
  const problem = violation(sampleFields(sample), rootValue(classModel));
  if (problem !== undefined) yield [problem, 'use an object that the schema allows'];
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
