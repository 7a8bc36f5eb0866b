import { goQuoted } from '../../base/go-quoted.js';
import { CelError, type CelValue } from '../../crd/cel/values/cel-value.js';
import { objectAt, type JsonObject } from '../objects/api-object.js';
import { Expressions, type Variables } from './expressions.js';
import { admissionDeclarations, messageDeclarations, OF_PATCHES } from './policy-declarations.js';
import { OwnVariables } from './own-variables.js';

const compiled = new WeakMap<object, PolicyExpressions>();

/** The compiled expressions of one policy, with its own variables. */
export class PolicyExpressions {
  /** For match conditions, which cannot use the policy's variables. */
  readonly conditions: Expressions;
  readonly validations: Expressions;
  readonly messages: Expressions;
  readonly mutations: Expressions;
  private readonly own: OwnVariables;

  private constructor(policy: JsonObject) {
    const spec = objectAt(policy, 'spec');
    const hasParams = spec.paramKind !== undefined;
    const given = admissionDeclarations(hasParams);
    this.conditions = new Expressions(given);
    this.own = new OwnVariables(spec.variables, given);
    // A validating policy without variables does not declare `variables`.
    const isBare = policy.kind === 'ValidatingAdmissionPolicy' && this.own.each.length === 0;
    const own = isBare ? {} : this.own.declarations;
    this.validations = new Expressions({ ...given, ...own });
    this.messages = new Expressions({ ...messageDeclarations(hasParams), ...own });
    this.mutations = new Expressions({ ...given, ...own, ...OF_PATCHES }, true);
  }

  /** Returns the expressions of a policy, compiled once per policy object. */
  static of(policy: JsonObject): PolicyExpressions {
    let found = compiled.get(policy);
    if (!found) compiled.set(policy, (found = new PolicyExpressions(policy)));
    return found;
  }

  /** Returns the compilation error of a variable, by index. */
  problemOfVariable(index: number): string | undefined {
    const variable = this.own.each[index];
    return variable?.over.problem(variable.source);
  }

  /** Adds the policy's own `variables`, each evaluated once, on first access. */
  withOwn(given: Variables): Variables {
    const own = new LazyMap((name) => this.ownValue(name, all));
    const all: Variables = { ...given, variables: own };
    return all;
  }

  private ownValue(name: string, variables: Variables): CelValue | undefined {
    const found = this.own.each.find((variable) => variable.name === name);
    if (!found) return undefined;
    const problem = found.over.problem(found.source);
    const title = `composited variable ${goQuoted(name)}`;
    if (problem !== undefined) return new CelError(`${title} fails to compile: ${problem}`);
    const value = found.over.valueOf(found.source, variables);
    return value instanceof CelError ? new CelError(`${title} fails to evaluate: ${value.message}`) : value;
  }
}

/** A map that computes its values on first access. */
class LazyMap extends Map<string, CelValue> {
  constructor(private readonly find: (name: string) => CelValue | undefined) {
    super();
  }

  override get(name: string): CelValue | undefined {
    if (super.has(name)) return super.get(name);
    const value = this.find(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }
}
