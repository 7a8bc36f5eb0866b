import type { Scope } from '../../api/kinds/kind-ref.js';
import { RESERVED_NAMES } from '../../import-crd/source/type-names.js';
import { OperatorError } from '../../base/operator-error.js';
import { collectKind } from '../../resource/kinds/kind-names.js';
import { pluralOf } from '../../resource/plural.js';
import { Diagnostics } from '../../resource/diagnostics.js';

/** Names and scope of a new kind. */
export interface KindIdentity {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
}

/** Names that scaffolded files import, in addition to those of imported definitions. */
const IMPORTED = new Set(['Cluster', 'ConvertsTo', 'Context', 'Deployment', 'Owns', 'Sample']);

/** The name of the class of a kind: the kind, unless a scaffolded file uses the name for something else. */
export function classNameOf({ kind }: Pick<KindIdentity, 'kind'>): string {
  return RESERVED_NAMES.has(kind) || IMPORTED.has(kind) ? `${kind}Resource` : kind;
}

/**
 * Reads `apps.example.com/v1` and `Memcached`.
 *
 * @throws OperatorError; for an invalid name the one that the annotated class would cause
 */
export function kindIdentity(apiVersion: string, kind: string, scope: Scope): KindIdentity {
  const [group, version, ...rest] = apiVersion.split('/');
  if (!group || !version || rest.length > 0)
    throw new OperatorError(`'${apiVersion}' is not a group and version`, {
      code: 'E_CONFIG',
      hint: `kindwright create kind apps.example.com/v1 ${kind}`,
    });
  const identity = { group, version, kind, plural: pluralOf(kind), scope };
  const diagnostics = new Diagnostics();
  collectKind({ name: kind }, identity, identity, diagnostics);
  diagnostics.throwIfAny();
  return identity;
}
