import { apiVersionOf } from '../../api/kinds/kind-ref.js';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import type { CustomObjectChecker } from '../../apiserver/custom-object-checker.js';

type CheckerClass = typeof CustomObjectChecker;

/** A served version of a kind, which checks objects. */
export interface KnownKind {
  readonly isNamespaced: boolean;
  readonly checker: CustomObjectChecker;
}

/** The kinds of definitions, by the apiVersion and kind of objects. */
export class KnownKinds {
  private readonly definitions = new Map<string, CustomResourceDefinition>();
  private readonly compiled = new Map<string, KnownKind>();

  /** @param Checker loaded on demand: it needs ajv and the code of the API server */
  constructor(
    definitions: readonly CustomResourceDefinition[],
    private readonly Checker: CheckerClass,
  ) {
    for (const definition of definitions) {
      const { group, names } = definition.spec;
      this.definitions.set(`${group}/${names.kind}`, definition);
    }
  }

  /** Returns undefined for objects of a group without definitions here, and a text for a kind that is not served. */
  find(apiVersion: string, kind: string): KnownKind | string | undefined {
    const key = `${apiVersion} ${kind}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const [group = '', version = ''] = apiVersion.split('/');
    const definition = this.definitions.get(`${group}/${kind}`);
    if (!definition) return this.otherKinds(group, kind);
    const { spec } = definition;
    const served = spec.versions.filter((each) => each.served).map(({ name }) => name);
    if (!served.includes(version))
      return `${apiVersion} is not served; use ${served.map((name) => apiVersionOf({ group, version: name })).join(' or ')}`;
    const found = { isNamespaced: spec.scope === 'Namespaced', checker: new this.Checker(spec, version) };
    this.compiled.set(key, found);
    return found;
  }

  private otherKinds(group: string, kind: string): string | undefined {
    const kinds = [...this.definitions.values()]
      .filter(({ spec }) => spec.group === group)
      .map(({ spec }) => spec.names.kind);
    return kinds.length === 0
      ? undefined
      : `no definition of ${kind} in ${group}, which has ${kinds.sort().join(', ')}`;
  }
}
