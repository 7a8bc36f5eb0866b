import { createHash } from 'node:crypto';
import type { KindRef } from '../../api/kinds/kind-ref.js';
import { ConfigMap, Secret } from '../../api/kinds/kinds.js';
import type { Desired, KubeObject } from '../../api/objects/kube-object.js';
import { partOf } from '../../api/selection/part-of.js';
import { stringifyJson } from '../../base/json.js';
import { objectAt } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import type { Context } from '../../resource/context.js';
import { configReferences, type ConfigReference } from './config-references.js';
import { desiredAddress, type DesiredAddress } from './desired-address.js';

/** The annotation of pod templates that changes with the contents of their ConfigMaps and Secrets. */
const HASH_ANNOTATION = 'kindwright.dev/config-hash';
const HASH_LENGTH = 32;

/** The member of `data` that holds the hash of the contents in place of them. */
const CONTENT = 'content';

/** The cached parts of these objects: a hash of their contents, which may be large. */
const HASHED: Readonly<Record<ConfigReference['kind'], KindRef>> = {
  ConfigMap: partOf(ConfigMap, {
    fields: ['data', 'binaryData'],
    transform: ({ binaryData, ...object }) => ({
      ...object,
      data: { [CONTENT]: contentHash(object.data, binaryData) },
    }),
  }),
  Secret: partOf(Secret, {
    fields: ['data'],
    transform: (object) => ({ ...object, data: { [CONTENT]: contentHash(object.data) } }),
  }),
};

/**
 * Returns an object with a hash, in its pod template, of the ConfigMaps and Secrets that the template refers to. Their changes
 * reconcile the owner.
 *
 * @throws OperatorError (E_DEPENDENT) for an object without a pod template.
 */
export async function withConfigHash(
  context: Context,
  { kind }: KindRef,
  desired: Desired<KubeObject>,
): Promise<Desired<KubeObject>> {
  const references = configReferences(desired);
  const { name, at } = desiredAddress(desired);
  if (!references) {
    throw new OperatorError(`${kind} ${name} has no pod template for configHash`, {
      code: 'E_DEPENDENT',
      hint: 'remove configHash, or return an object with spec.template.spec.containers',
    });
  }
  const parts = await Promise.all(references.map((reference) => contentOf(context, reference, at)));
  const spec = objectAt(desired, 'spec');
  const template = objectAt(spec, 'template');
  const metadata = objectAt(template, 'metadata');
  const digest = sha256(parts.join('\n')).slice(0, HASH_LENGTH);
  const annotations = { ...objectAt(metadata, 'annotations'), [HASH_ANNOTATION]: digest };
  const hashed = { ...spec, template: { ...template, metadata: { ...metadata, annotations } } };
  return { ...desired, spec: hashed } as Desired<KubeObject>;
}

async function contentOf(context: Context, { kind, name }: ConfigReference, at: DesiredAddress['at']): Promise<string> {
  await context.watch(HASHED[kind], { name, ...at });
  const object = await context.get(HASHED[kind], name, at);
  const content = objectAt(object, 'data')[CONTENT];
  return `${kind} ${name} ${typeof content === 'string' ? content : ''}`;
}

function contentHash(...members: readonly (object | undefined)[]): string {
  const sorted = members.map((member = {}) => Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sha256(stringifyJson(sorted));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
