import { createHash } from 'node:crypto';
import type { KindRef } from '../../api/kind-ref.js';
import { ConfigMap, Secret } from '../../api/kinds.js';
import type { Desired, KubeObject } from '../../api/kube-object.js';
import { partOf } from '../../api/part-of.js';
import { objectAt } from '../../base/json-object.js';
import { OperatorError } from '../../base/operator-error.js';
import { stringifyJson } from '../../base/json.js';
import { isObjectMissing } from '../../client/api-error.js';
import type { Context } from '../../resource/context.js';
import { LruMap } from '../run/lru-map.js';
import { configReferences, type ConfigReference } from './config-references.js';
import { addressOf, type DesiredAddress } from './desired-address.js';

/** The annotation of pod templates that changes with the contents of their ConfigMaps and Secrets. */
const HASH_ANNOTATION = 'kindwright.dev/config-hash';
const HASH_LENGTH = 32;

const MOST_CONTENTS = 10_000;

const KINDS = { ConfigMap, Secret };
/** Only the metadata of these objects is cached: their contents may be large, and are read again when the version changes. */
const WATCHED = {
  ConfigMap: partOf(ConfigMap, { metadataOnly: true }),
  Secret: partOf(Secret, { metadataOnly: true }),
};

/** Adds to pod templates a hash of the ConfigMaps and Secrets that they refer to. Changes of these reconcile the owner. */
export class ConfigHashes {
  /** The hash of the contents by uid and version. */
  private readonly contents = new LruMap<string>(MOST_CONTENTS);

  /** @throws OperatorError (E_DEPENDENT) for an object without a pod template. */
  async add(context: Context, { kind }: KindRef, desired: Desired<KubeObject>): Promise<Desired<KubeObject>> {
    const references = configReferences(desired);
    const { name, at } = addressOf(desired);
    if (!references) {
      throw new OperatorError(`${kind} ${name} has no pod template for configHash`, {
        code: 'E_DEPENDENT',
        hint: 'remove configHash, or return an object with spec.template.spec.containers',
      });
    }
    const parts = await Promise.all(references.map((reference) => this.partOf(context, reference, at)));
    const digest = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, HASH_LENGTH);
    const spec = objectAt(desired, 'spec');
    const template = objectAt(spec, 'template');
    const metadata = objectAt(template, 'metadata');
    const annotations = { ...objectAt(metadata, 'annotations'), [HASH_ANNOTATION]: digest };
    const hashed = { ...spec, template: { ...template, metadata: { ...metadata, annotations } } };
    return { ...desired, spec: hashed } as Desired<KubeObject>;
  }

  private async partOf(context: Context, { kind, name }: ConfigReference, at: DesiredAddress['at']): Promise<string> {
    await context.watch(WATCHED[kind], { name, ...at });
    const watched = await context.get(WATCHED[kind], name, at);
    const content = watched ? (this.contents.get(versionOf(watched)) ?? (await this.read(context, kind, watched))) : '';
    return `${kind} ${name} ${content}`;
  }

  private async read(
    { client }: Context,
    kind: ConfigReference['kind'],
    { metadata: { name, namespace } }: { readonly metadata: { readonly name: string; readonly namespace?: string } },
  ): Promise<string> {
    try {
      const object = await client.get(KINDS[kind], name, { namespace });
      const { data, binaryData } = object as { readonly data?: object; readonly binaryData?: object };
      const content = createHash('sha256').update(stringifyJson([sorted(data), sorted(binaryData)])).digest('hex');
      this.contents.set(versionOf(object), content);
      return content;
    } catch (error) {
      if (isObjectMissing(error)) return ''; // its deletion is reported later
      throw error;
    }
  }
}

function versionOf({ metadata: { uid, resourceVersion } }: { readonly metadata: KubeObject['metadata'] }): string {
  return `${uid ?? ''} ${resourceVersion ?? ''}`;
}

function sorted(members: object = {}): unknown[] {
  return Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
}
