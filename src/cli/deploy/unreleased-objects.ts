import { resourceName } from '../../api/kinds/kind-ref.js';
import { objectKey } from '../../api/objects/object-key.js';
import { ApiError, NotFoundError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import type { ResourceModel } from '../../resource/model.js';
import { countNoun } from '../count-noun.js';

/**
 * Describes the objects that have finalizers of operators, which nothing removes when the operators no longer run: they
 * cannot be deleted then.
 */
export async function unreleasedObjects(client: Client, models: readonly ResourceModel[]): Promise<string[]> {
  const found = await Promise.all(models.map((model) => unreleased(client, model)));
  return found.filter((warning) => warning !== undefined);
}

async function unreleased(
  client: Client,
  { kind, definesKind, finalizers }: ResourceModel,
): Promise<string | undefined> {
  if (finalizers.length === 0) return undefined;
  const own = new Set(finalizers.map(({ name }) => name));
  const what = resourceName(kind);
  const hint = definesKind
    ? 'delete the objects first, while it runs, or pass --crds'
    : `afterwards, run kubectl patch ${what} <name> --type=json --patch='[{"op":"remove","path":"/metadata/finalizers"}]'`;
  try {
    const { items } = await client.list(kind);
    const held = items.filter(({ metadata }) => metadata.finalizers?.some((name) => own.has(name)));
    const [first] = held;
    if (!first) return undefined;
    const names = [...own].join(', ');
    return `after the operator, nothing removes the finalizers ${names} of ${countNoun(held.length, 'object')} of ${what}, first ${objectKey(first)}: ${hint}`;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof ApiError)
      return `objects of ${what} may keep finalizers, after which they cannot be deleted: ${error.message}`;
    throw error;
  }
}
