import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { CustomResource } from '../../../src/resource/custom-resource.js';
import { Field } from '../../../src/resource/decorators/field.js';
import type { FieldClass, FieldOptions } from '../../../src/resource/decorators/field-options.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import type { ResourceClass } from '../../../src/resource/model.js';

export const Deployment: KindRef = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
};

export const Node: KindRef = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' };

/** The compiler notes an enum of another module as what it is, and one of the same module as String or Number. */
export enum Phase {
  Pending = 'Pending',
  Running = 'Running',
}

/** A kind with nothing wrong about it. */
export abstract class Sound extends CustomResource {
  reconcile(): void {
    return undefined;
  }
}

/** A sound kind whose spec is of the given class. */
export function kindWithSpec(spec: FieldClass): ResourceClass {
  @Kind({ group: 'apps.example.com', version: 'v1', kind: `Kind${spec.name}` })
  class WithSpec extends Sound {
    @Field({ type: spec }) spec!: object;
  }
  return WithSpec;
}

/** `@Field` applied as plain JavaScript does it, so that the compiler notes no type. */
export function field(target: FieldClass, property: string, options: FieldOptions = {}): void {
  Field(options)(target.prototype as object, property);
}
