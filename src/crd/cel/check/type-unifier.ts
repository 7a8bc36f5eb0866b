import { DYN, isSameType, paramOf, type CelType } from './cel-type.js';

/** Binds type parameters to types: cel-go's checker/types.go and mapping.go. */
export class TypeUnifier {
  private bindings = new Map<string, CelType>();
  private count = 0;

  fresh(): CelType {
    return { kind: 'param', name: `_var${this.count++}`, params: [] };
  }

  /** Reports whether each given type is assignable to the wanted type; bindings are kept only on success. */
  accepts(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    const before = new Map(this.bindings);
    const isAccepted =
      given.length === wanted.length && given.every((type, index) => this.assign(type, wanted[index] ?? DYN));
    if (!isAccepted) this.bindings = before;
    return isAccepted;
  }

  /** Substitutes the bound type parameters; with `isFinal`, unbound ones are replaced by dyn. */
  resolve(type: CelType, isFinal = false): CelType {
    if (type.kind === 'param') {
      const bound = this.bindings.get(type.name);
      if (bound) return this.resolve(bound, isFinal);
      return isFinal ? DYN : type;
    }
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((param) => this.resolve(param, isFinal)) };
  }

  private assign(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const found = this.substitute(a, b);
      if (found !== undefined) return found;
    }
    if (a.kind === 'param') return this.substitute(b, a) === true;
    if (isLoose(a) || isLoose(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind !== b.kind) return false;
    return a.kind === 'type' || this.assignParts(a, b);
  }

  private assignParts(a: CelType, b: CelType): boolean {
    return (
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((param, index) => this.assign(param, paramOf(b, index)))
    );
  }

  /** Reports whether `param` can be bound to `type`; undefined when the binding would be recursive. */
  private substitute(type: CelType, param: CelType): boolean | undefined {
    if (isSameType(type, param)) return true;
    const bound = this.bindings.get(param.name);
    if (bound) {
      if (isSameType(type, bound)) return true;
      if (!this.assign(type, bound)) return false;
      const general = mostGeneral(type, bound);
      if (!this.occursIn(param, general)) this.bindings.set(param.name, general);
      return true;
    }
    if (this.occursIn(param, type)) return undefined;
    this.bindings.set(param.name, type);
    return true;
  }

  private occursIn(param: CelType, type: CelType): boolean {
    if (isSameType(param, type)) return true;
    if (type.kind === 'param') {
      const bound = this.bindings.get(type.name);
      return bound !== undefined && this.occursIn(param, bound);
    }
    return type.params.some((part) => this.occursIn(param, part));
  }
}

export function isLoose({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNullable({ kind }: CelType): boolean {
  return ['null', 'opaque', 'struct', 'duration', 'timestamp'].includes(kind);
}

export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((param, index) => isLessSpecific(param, paramOf(b, index)))
  );
}
