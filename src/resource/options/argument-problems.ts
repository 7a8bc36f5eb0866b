import { isJsonObject } from '../../base/json-object.js';
import type { ConvertsToEntry } from '../decorators/converts-to.js';
import type { FieldEntry } from '../decorators/field.js';
import type { PolicyEntry } from '../decorators/policy.js';
import type { RbacEntry } from '../decorators/rbac.js';
import type { ClassRule } from '../decorators/rules/class-rule.js';
import type { SelectableFieldEntry } from '../decorators/selectable-field.js';
import type { Problem } from '../model-error.js';

/** Problems with positional arguments that TypeScript rejects; JavaScript and casts do not. */

/** @param what - the argument, such as `the name` */
export function textProblem(value: unknown, what: string, example: string): Problem | undefined {
  return typeof value === 'string' ? undefined : [`${what} must be a string`, example];
}

export function fieldProblem({ property, options }: FieldEntry): Problem | undefined {
  const example = `@Field('The size', { minimum: 1 }) ${property}`;
  if (!isJsonObject(options)) return ['the argument must be a text or an object', example];
  return 'description' in options ? [`unknown option 'description'`, example] : undefined;
}

export function rbacProblem(on: RbacEntry['on'] | undefined): Problem | undefined {
  if (typeof on === 'function' || (isJsonObject(on) && ('plural' in on || 'urls' in on))) return undefined;
  if (!isJsonObject(on) || !('groups' in on || 'resources' in on))
    return [
      'the first argument must be a kind, { groups, resources } or { urls }',
      `@Rbac(Pod, 'get'); a class that is declared below, or in an import cycle, is undefined here`,
    ];
  const missing = (['groups', 'resources'] as const).find((name) => on[name] === undefined);
  return missing && [`${missing} is missing`, `@Rbac({ groups: [''], resources: ['pods'] }, 'get')`];
}

export function policyProblem({ expression, options }: Partial<PolicyEntry>): Problem | undefined {
  if (expression !== undefined || options !== undefined) return undefined;
  return [
    'requires a CEL expression or options',
    `@Policy('object.spec.nodes <= 10', 'too many nodes'), or @Policy({ apply: 'Object{…}' })`,
  ];
}

export function conversionProblem({ hub, rules }: Partial<ConvertsToEntry>): Problem | undefined {
  if (typeof hub !== 'function')
    return [
      'the first argument must be the class of another version',
      `@ConvertsTo(Hub, [move('spec.size', 'spec.replicas')]); an import cycle leaves a class undefined`,
    ];
  const isPair = isJsonObject(rules) && typeof rules.up === 'function' && typeof rules.down === 'function';
  if (Array.isArray(rules) || isPair) return undefined;
  return [
    'the second argument must be a list of steps, or { up, down }',
    `@ConvertsTo(${hub.name}, [move('spec.size', 'spec.replicas')]), or [] for equal fields`,
  ];
}

export function selectableFieldProblem({ property, jsonPath }: SelectableFieldEntry): Problem | undefined {
  if (property === undefined)
    return textProblem(
      jsonPath,
      'the path',
      `@SelectableField('.spec.zone'), or @SelectableField() before the property`,
    );
  return jsonPath === undefined ? undefined : ['takes no argument before a property', '@SelectableField()'];
}

export function fieldNamesProblem({ decorator, fields = [] }: ClassRule): Problem | undefined {
  const isValid = (fields as readonly unknown[]).every((name) => typeof name === 'string');
  return isValid ? undefined : ['the arguments must be names of fields', `${decorator}('disk', 'bucket')`];
}
