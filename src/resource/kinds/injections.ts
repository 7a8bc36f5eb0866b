import { INJECT, type InjectionToken } from '../decorators/inject.js';
import type { Diagnostics } from '../diagnostics.js';
import { isCommonField } from '../fields/common-fields.js';
import type { FieldModel } from '../fields/value-model.js';
import { inheritedMetadata } from '../metadata.js';

/** A property that is set to a provided value. */
export interface Injection {
  readonly property: string;
  readonly token: InjectionToken;
}

/** The `@Inject` properties of a class and its base classes. */
export function injectionsOf(
  target: abstract new (...args: never[]) => object,
  fields: readonly FieldModel[],
  diagnostics: Diagnostics,
): Injection[] {
  const found: Injection[] = [];
  for (const { property, token } of inheritedMetadata(INJECT, target)) {
    const location = { target, member: property };
    const report = (problem: string, hint: string): void => {
      diagnostics.add(location, `@Inject: ${problem}`, hint);
    };
    if (isCommonField(property) || fields.some(({ name }) => name === property))
      report('must not be applied to a field', 'remove @Field or @Inject, or use another property');
    if (found.some((other) => other.property === property))
      report('is applied twice to this property', 'use one property for each value');
    if (typeof token === 'function') found.push({ property, token });
    else if ((token as unknown) !== undefined) report('the argument must be a class', `@Inject(BucketApi) ${property}`);
    else
      report(
        'the class is undefined',
        'name a class; if one is named, break the import cycle between its module and this one',
      );
  }
  return found;
}
