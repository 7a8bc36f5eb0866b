import { resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { createKind } from './create-kind.js';
import { readRecord } from './scaffold-record.js';
import type { NewFileOptions } from './write-new-files.js';

/** Command-line options of `create api`. */
export interface CreateApiOptions extends NewFileOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * `create kind` with the options of kubebuilder and operator-sdk. A group without a dot is completed by the domain of the
 * project.
 *
 * @throws OperatorError as `createKind`, and when the domain is unknown
 */
export function createApi({ group, version, kind, namespaced, ...options }: CreateApiOptions): void {
  createKind(`${group.includes('.') ? group : `${group}.${domain(group)}`}/${version}`, kind, {
    ...options,
    clusterScoped: !namespaced,
  });
}

/** The domain that `init` was given. */
function domain(group: string): string {
  for (const { step } of readRecord(resolve('.'))?.steps ?? [])
    if (step.command === 'init') return step.kind.group.replace(/^apps\./, '');
  throw new OperatorError(`the domain of the group ${group} is unknown: kindwright init has not created this project`, {
    code: 'E_CONFIG',
    hint: `pass the whole group: --group ${group}.example.com`,
  });
}
