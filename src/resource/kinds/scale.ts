import { SCALE, type ScaleOptions } from '../decorators/scale.js';
import type { ClassModel } from '../fields/value-model.js';
import { decoratorUse, inheritedMetadata } from '../metadata.js';
import type { Diagnostics } from '../diagnostics.js';
import { lookUpFieldPath } from './field-paths.js';

/** The paths that each option allows: ValidateCustomResourceDefinitionSubresources in apiextensions. */
const PLACES = {
  specReplicasPath: { under: ['.spec.'], type: 'integer' },
  statusReplicasPath: { under: ['.status.'], type: 'integer' },
  labelSelectorPath: { under: ['.status.', '.spec.'], type: 'string' },
} as const satisfies Partial<Record<keyof ScaleOptions, object>>;

/** The validated scale subresource of a kind. */
export function scaleOf(target: object, root: ClassModel, diagnostics: Diagnostics): ScaleOptions | undefined {
  const entries = inheritedMetadata(SCALE, target);
  const index = entries.length - 1;
  const scale = entries[index];
  if (!scale) return undefined;
  const location = { target: root.target, decorator: decoratorUse(SCALE, target, index) };
  for (const [option, place] of Object.entries(PLACES)) {
    const path = scale[option as keyof typeof PLACES];
    const problem = path === undefined ? undefined : pathProblem(path, place, root, scale.anyPath === true);
    if (problem !== undefined)
      diagnostics.add(location, `@Scale: ${option} '${path}' ${problem}`, `${option}: '${place.under[0]}…'`);
  }
  return scale;
}

function pathProblem(
  path: string,
  { under, type }: { readonly under: readonly string[]; readonly type: string },
  root: ClassModel,
  mayEndAnywhere: boolean,
): string | undefined {
  if (!under.some((prefix) => path.startsWith(prefix))) return `must be under ${under.join(' or ')}`;
  if (path.includes('[')) return 'must not pass through a list';
  if (mayEndAnywhere) return undefined;
  const { value, missing } = lookUpFieldPath(path, root);
  if (missing !== undefined) return `references unknown field "${missing}"`;
  return value?.type !== undefined && value.type !== type ? `must lead to a field of type ${type}` : undefined;
}
