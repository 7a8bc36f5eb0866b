import { DYN, listOf, mapOf, type CelType } from '../../crd/cel/check/cel-type.js';
import { eachObject, stringAt } from '../objects/api-object.js';
import { Expressions } from './expressions.js';
import { declaredVariables, type Declarations } from './policy-declarations.js';

interface OwnVariable {
  readonly name: string;
  readonly source: string;
  /** Declares the given variables and the policy variables before this one. */
  readonly over: Expressions;
}

/** The variables of a policy: admission/plugin/cel/composition.go. */
export class OwnVariables {
  readonly each: readonly OwnVariable[];
  private readonly types = new Map<string, CelType>();

  constructor(variables: unknown, given: Declarations) {
    this.each = eachObject(variables).map((variable) => {
      const [name, source] = [stringAt(variable, 'name'), stringAt(variable, 'expression')];
      const over = new Expressions({ ...given, ...declaredVariables(new Map(this.types)) });
      // Empty expressions are not compiled.
      if (source.trim() !== '') this.types.set(name, kept(over.typeOf(source) ?? DYN));
      return { name, source, over };
    });
  }

  get declarations(): Declarations {
    return declaredVariables(this.types);
  }
}

/**
 * Returns the declared type of a variable for the type of its expression: only scalars, and lists and maps of them, are
 * kept.
 */
function kept(type: CelType): CelType {
  const params = type.params.map(kept);
  const [first = DYN, second = DYN] = params;
  switch (type.kind) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    default:
      return isScalar(type) ? type : DYN;
  }
}

function isScalar({ kind }: CelType): boolean {
  return !['error', 'opaque', 'param', 'struct', 'type'].includes(kind);
}
