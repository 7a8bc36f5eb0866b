import { SCALE, type ScaleOptions } from '../decorators/scale.js';
import type { ClassModel } from '../fields/value-model.js';
import { inheritedMetadata } from '../metadata.js';
import type { Mistakes } from '../mistakes.js';
import { follow } from './field-paths.js';

/** Option -> where its path may lead: ValidateCustomResourceDefinitionSubresources in apiextensions. */
const PLACES = {
  specReplicasPath: { under: ['.spec.'], type: 'integer' },
  statusReplicasPath: { under: ['.status.'], type: 'integer' },
  labelSelectorPath: { under: ['.status.', '.spec.'], type: 'string' },
} as const satisfies Record<keyof ScaleOptions, object>;

/** The scale subresource of a kind, its paths checked. */
export function scaleOf(target: object, root: ClassModel, mistakes: Mistakes): ScaleOptions | undefined {
  const scale = inheritedMetadata(SCALE, target).at(-1);
  if (!scale) return undefined;
  const { className } = root;
  for (const [option, { under, type }] of Object.entries(PLACES)) {
    const path = scale[option as keyof ScaleOptions];
    if (path === undefined) continue;
    const wrong = (problem: string): void => {
      mistakes.add({ className }, `@Scale: ${option} '${path}' ${problem}`, `${option}: '${under[0]}…'`);
    };
    const { value, missing } = follow(path, root);
    if (!under.some((prefix) => path.startsWith(prefix))) wrong(`is not under ${under.join(' or ')}`);
    else if (path.includes('[')) wrong('goes through a list');
    else if (missing !== undefined) wrong(`leads to no field: there is no ${missing}`);
    else if (value?.type !== undefined && value.type !== type) wrong(`leads to no ${type}`);
  }
  return scale;
}
