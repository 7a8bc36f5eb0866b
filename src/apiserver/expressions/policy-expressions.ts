import { goQuoted } from '../../base/go-quoted.js';
import { CelError, type CelValue } from '../../crd/cel/evaluate/cel-value.js';
import { objectAt, type JsonObject } from '../objects/api-object.js';
import { Expressions, type Variables } from './expressions.js';
import { admissionDeclarations, messageDeclarations, OF_PATCHES } from './policy-declarations.js';
import { OwnVariables } from './own-variables.js';

const compiled = new WeakMap<object, PolicyExpressions>();

/** The expressions of one policy, which may speak of its own variables. */
export class PolicyExpressions {
  /** For match conditions, which know no variables. */
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
    // A policy that validates, and has no variables, does not even know the word.
    const isBare = policy.kind === 'ValidatingAdmissionPolicy' && this.own.each.length === 0;
    const own = isBare ? {} : this.own.declarations;
    this.validations = new Expressions({ ...given, ...own });
    this.messages = new Expressions({ ...messageDeclarations(hasParams), ...own });
    this.mutations = new Expressions({ ...given, ...own, ...OF_PATCHES }, true);
  }

  /** Compiled once for as long as the policy stays as it is. */
  static of(policy: JsonObject): PolicyExpressions {
    let found = compiled.get(policy);
    if (!found) compiled.set(policy, (found = new PolicyExpressions(policy)));
    return found;
  }

  /** What is wrong with a variable, by its place. */
  problemOfVariable(index: number): string | undefined {
    const variable = this.own.each[index];
    return variable?.over.problem(variable.source);
  }

  /** Adds the policy's own `variables`, each evaluated once and not before it is asked for. */
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

/** A map whose members are found out when they are asked for. */
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
