import { KIND_REF, toKindRef, type KindLike, type KindRef } from '../../api/kinds/kind-ref.js';
import type { CustomResource } from '../custom-resource.js';
import type { KindDeclaration } from './kind-class.js';

/** The declaration of a class for a kind that is defined elsewhere; its fields are unknown. */
export function foreignDeclaration(
  target: KindDeclaration['target'],
  kind: KindRef<CustomResource>,
  writesStatus: boolean,
): KindDeclaration {
  const { group, version } = kind;
  return {
    target,
    kind,
    definesKind: false,
    options: { group, version, kind: kind.kind, subresources: { status: writesStatus } },
    classModel: {
      target,
      className: target.name,
      description: undefined,
      rules: {},
      required: undefined,
      maxDescriptionLength: undefined,
      fields: [],
    },
  };
}

/** Undefined for a value that is not a kind: classes run without a type check. */
export function referenceOf(given: KindLike): KindRef | undefined {
  if (typeof given === 'function' && !Object.hasOwn(given, KIND_REF)) return undefined;
  const kind = toKindRef(given) as Partial<KindRef> | null;
  const names = [kind?.group, kind?.version, kind?.kind, kind?.plural];
  return names.every((name) => typeof name === 'string') ? (kind as KindRef) : undefined;
}
