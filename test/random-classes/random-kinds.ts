import { byLabel } from '../../src/resource/mapper.js';
import { ConfigMap, Secret } from '../../src/api/kinds/kinds.js';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Controller } from '../../src/resource/decorators/controller.js';
import { Description } from '../../src/resource/decorators/description.js';
import { Finalizer } from '../../src/resource/decorators/finalizer.js';
import { Kind, type KindOptions } from '../../src/resource/decorators/kind.js';
import { Owns } from '../../src/resource/decorators/owns.js';
import { PrintColumn } from '../../src/resource/decorators/print-column.js';
import { Rbac } from '../../src/resource/decorators/rbac.js';
import { Sample } from '../../src/resource/decorators/sample.js';
import { XValidation } from '../../src/resource/decorators/rules/x-validation.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import { Schema } from '../../src/resource/decorators/schema.js';
import { SelectableField } from '../../src/resource/decorators/selectable-field.js';
import { Watches } from '../../src/resource/decorators/watches.js';
import type { FieldClass } from '../../src/resource/decorators/field-options.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { Chooser } from '../fidelity/chooser.js';
import { RandomStructs } from './random-structs.js';
import type { RandomValues } from './random-values.js';

const GROUP = 'random.example.com';
const VERSIONS = ['v1', 'v1beta1', 'v2alpha3'];
const DEPTH = 5;

type ResourceTarget = abstract new () => CustomResource;

/** Makes random kinds, each of one to three classes that are its versions. */
export class RandomKinds {
  private readonly random: Chooser;
  private readonly structs: RandomStructs;
  private readonly values: RandomValues;

  constructor(seed: number) {
    this.random = new Chooser(seed);
    this.structs = new RandomStructs(this.random);
    this.values = this.structs.values;
  }

  kind(index: number): ResourceClass[] {
    const { random } = this;
    const kind = `Random${index}`;
    const versions = random.chance(0.7) ? [random.pick(VERSIONS)] : VERSIONS.slice(random.pick([0, 1]));
    const shared = this.sharedOptions(kind, versions);
    const stored = random.pick(versions);
    return versions.map((version, at) => {
      const target = at === 0 ? runClass(kind) : definedClass(`${kind}${version}`);
      const hasStatus = this.body(target, versions.length === 1 ? DEPTH : DEPTH - 2);
      if (at === 0) this.behavior(target, hasStatus);
      if (random.chance(0.2)) Description(this.values.text())(target);
      const storage = versions.length > 1 && { storage: random.chance(0.005) ? true : version === stored };
      Kind({ group: GROUP, version, kind, ...storage, ...this.versionOptions(), ...shared })(target);
      return target;
    });
  }

  /** The fields with their options; true if there is a status. */
  private body(target: ResourceTarget, depth: number): boolean {
    const { random, structs } = this;
    const hasStatus = random.chance(0.6);
    structs.field(target, 'spec', { type: this.spec(depth - 1) });
    if (hasStatus) structs.field(target, 'status', { type: this.status(depth - 1) });
    if (random.chance(0.1)) structs.field(target, 'extra', this.values.options(2));
    if (random.chance(0.1)) structs.field(target, 'metadata', { type: this.meta() });
    if (random.chance(0.1)) structs.field(target, 'apiVersion', { type: String, description: this.values.text() });
    if (random.chance(0.1)) XValidation({ rule: "self.metadata.name != 'forbidden'" })(target);
    if (random.chance(0.1)) Schema({ title: this.values.text(), ...random.maybe(0.05, { minProperties: 1 }) })(target);
    return hasStatus;
  }

  private behavior(target: ResourceTarget, hasStatus: boolean): void {
    const { random } = this;
    if (hasStatus && random.chance(0.2)) this.scale(target);
    if (random.chance(0.2)) SelectableField(random.chance(0.97) ? '.spec.zone' : '.spec.nowhere')(target);
    if (random.chance(0.2)) this.column(target);
    const others: readonly ((target: ResourceTarget) => void)[] = [
      Owns(ConfigMap, { verbs: ['get', 'list', 'watch', 'create'] }),
      Watches(Secret, byLabel('example.com/owner')),
      Rbac({ groups: [''], resources: ['pods/log'] }, 'get'),
      Controller({ maxConcurrentReconciles: 2 }),
      ({ prototype }) => Finalizer(`${GROUP}/cleanup`)(prototype as CustomResource, 'reconcile', {}),
    ];
    for (const decorate of others.filter(() => random.chance(0.1))) decorate(target);
    // Rare, because most kinds require a spec, and then this sample is rejected.
    if (random.chance(0.02)) Sample({ name: 'empty' })(target);
  }

  private scale(target: ResourceTarget): void {
    const { random } = this;
    Scale({
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: random.chance(0.97) ? '.status.replicas' : '.spec.replicas',
      ...random.maybe(0.3, { labelSelectorPath: '.status.selector' }),
      ...random.maybe(0.2, { anyPath: true, labelSelectorPath: '.status.nowhere' }),
    })(target);
  }

  private column(target: ResourceTarget): void {
    const { random } = this;
    PrintColumn({
      name: 'Zone',
      type: 'string',
      jsonPath: random.chance(0.95) ? '.spec.zone' : ".spec['zone",
      ...random.maybe(0.3, { description: this.values.text() }),
      ...random.maybe(0.3, { format: random.pick(['byte', 'password']) }),
      ...random.maybe(0.3, { priority: 1 }),
    })(target);
    if (random.chance(0.2))
      PrintColumn({ name: 'Any', type: 'date', jsonPath: '.spec.items[*].since', anyPath: true })(target);
  }

  /** The options that all versions share. */
  private sharedOptions(kind: string, versions: readonly string[]): Partial<KindOptions> {
    const { random } = this;
    return {
      ...random.maybe(0.3, { scope: 'Cluster' as const }),
      ...random.maybe(0.2, { shortNames: [random.chance(0.95) ? 'rnd' : 'R_'] }),
      ...random.maybe(0.2, { categories: ['all'], singular: 'one-random' }),
      ...random.maybe(0.2, { labels: { 'example.com/team': random.chance(0.95) ? 'no' : 'not a value' } }),
      ...random.maybe(0.2, { annotations: { 'example.com/note': this.values.text() } }),
      ...random.maybe(0.1, { plural: random.chance(0.97) ? 'randoms' : 'R' }),
      ...random.maybe(0.1, { listKind: random.pick([`${kind}Collection`, `${kind}List`]), anyNames: true }),
      ...random.maybe(0.1, { preserveUnknownFields: false as const }),
      ...random.maybe(0.1, { versionOrder: versions.toReversed() }),
      ...random.maybe(0.2, { conversion: this.conversion() }),
    };
  }

  private conversion(): KindOptions['conversion'] {
    const { random } = this;
    if (random.chance(0.3)) return 'None';
    const service = { namespace: 'default', name: 'converter', ...random.maybe(0.5, { path: '/convert', port: 443 }) };
    return {
      conversionReviewVersions: random.chance(0.95) ? random.pick([['v1'], ['v9', 'v1']]) : ['V1'],
      clientConfig: random.chance(0.8)
        ? { service, ...random.maybe(0.2, { caBundle: 'bm90IGEgY2VydGlmaWNhdGU=' }) }
        : { url: random.chance(0.9) ? 'https://example.com/convert' : 'https://example.com?x=1' },
    };
  }

  /** The options of each version. */
  private versionOptions(): Partial<KindOptions> {
    const { random } = this;
    return {
      ...random.maybe(0.2, { deprecated: random.pick([true, 'use another', random.chance(0.8) ? 'x' : 'tab\there']) }),
      ...random.maybe(0.1, { served: false }),
      ...random.maybe(0.1, { commonFields: false }),
      ...random.maybe(0.1, { maxDescriptionLength: 30 }),
      ...random.maybe(0.1, { subresources: random.pick([{}, { status: true }, { status: false }]) }),
    };
  }

  private spec(depth: number): FieldClass {
    const { random, structs } = this;
    const spec = structs.struct(depth, { taken: ['zone', 'replicas'] });
    structs.field(spec, 'zone', { type: String });
    structs.field(spec, 'replicas', { type: 'integer', default: 1 });
    if (random.chance(0.2)) PrintColumn()(spec.prototype as object, 'replicas');
    if (random.chance(0.2)) SelectableField()(spec.prototype as object, 'replicas');
    return spec;
  }

  private status(depth: number): FieldClass {
    const { structs } = this;
    const status = structs.struct(depth, { taken: ['replicas', 'selector'] });
    structs.field(status, 'replicas', { type: 'integer', format: 'int32' });
    structs.field(status, 'selector', { type: String });
    return status;
  }

  private meta(): FieldClass {
    class Meta {}
    this.structs.field(Meta, this.random.chance(0.9) ? 'name' : 'labels', { type: String, maxLength: 20 });
    return Meta;
  }
}

/** A class of its own for each kind, as errors name it. */
function runClass(name: string): ResourceTarget {
  class Named extends CustomResource {
    reconcile(): void {
      return undefined;
    }
  }
  Object.defineProperty(Named, 'name', { value: name });
  return Named;
}

/** A version of which no object is reconciled. */
function definedClass(name: string): ResourceTarget {
  abstract class Named extends CustomResource {}
  Object.defineProperty(Named, 'name', { value: name });
  return Named;
}
