import { ConfigMap, Namespace, Pod } from '../../../src/api/kinds/kinds.js';
import {
  Admission,
  Controller,
  CustomResource,
  Dependent,
  Every,
  ExactlyOneOf,
  Field,
  Kind,
  Mutate,
  ObjectController,
  Owns,
  Policy,
  PrintColumn,
  Rbac,
  Scale,
  Schema,
  Source,
  Union,
  Validate,
  Watches,
  XValidation,
} from '../../../src/index.js';
import type { ResourceClass } from '../../../src/resource/model.js';

/** An option of which the compiler does not know the name, as in JavaScript or after a cast. */
const extra = (name: string, value: unknown = true): object => ({ [name]: value });

@Schema({ ...extra('maxPropertys', 3) })
@Union({ discriminator: 'type', members: { Disk: 'disk' }, ...extra('discriminater') })
@ExactlyOneOf('disk', 'bucket')
@XValidation({ rule: 'true', ...extra('mesage', 'wrong') })
class Spec {
  @Field({ enum: ['Disk'] }) type!: string;
  @Field({ optional: true }) disk?: string;
  @Field({ optional: true }) bucket?: string;

  @Field({ format: 'int32', ...extra('minumum', 1) })
  @PrintColumn({ ...extra('jsonPath', '.spec.size') })
  @XValidation({ rule: 'self > 0', ...extra('fieldpath', '.size') })
  size!: number;
}

class Status {
  @Field({ optional: true, format: 'int32' }) replicas?: number;
}

@Kind({
  group: 'apps.example.com',
  version: 'v1',
  ...extra('shortNmaes', ['wd']),
  subresources: { status: true, ...extra('statsu') },
  ...({ nothing: undefined } as object),
})
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', ...extra('selectorPath', '.a') })
@PrintColumn({ name: 'Size', type: 'number', jsonPath: '.spec.size', ...extra('prio', 1) })
@Policy('true', { ...extra('mesage', 'wrong') })
@Every('1h', { ...extra('timezone', 'UTC') })
class Widget extends CustomResource {
  @Field({ type: Spec }) spec!: Spec;
  @Field({ type: Status }) status = new Status();

  @Dependent(ConfigMap, { ...extra('dependOn', []) })
  settings(): undefined {
    return undefined;
  }

  @Every('1m', { ...extra('jiter', '1s') })
  poll(): void {
    return undefined;
  }

  @Mutate({ ...extra('reinvoke') })
  fill(): void {
    return undefined;
  }

  @Validate({ ...extra('timeout', 3), namespaceSelector: { ...extra('matchLabel', {}) } })
  check(): void {
    return undefined;
  }

  @Source({ path: '/hook', auth: { bearer: { env: 'TOKEN', ...extra('default', 'x') } }, ...extra('maxBodySize', 10) })
  static hook(): string[] {
    return [];
  }

  reconcile(): void {
    return undefined;
  }
}

@Owns(ConfigMap)
@Owns(Pod, { ...extra('unkown') })
abstract class Base extends ObjectController<Namespace> {}

@Controller({ for: Namespace, ...extra('concurency', 4), cache: { ...extra('labelSelecter', 'a=b') } })
@Owns(ConfigMap, ConfigMap as object)
@Watches(Pod, () => [], { ...extra('filter') })
@Watches(Pod, () => [], 'labels' as unknown as object)
@Rbac(Pod, 'get')
@Rbac({ groups: [''], resources: ['pods/log'], ...extra('resourceName', 'a') }, 'get')
@Rbac({ urls: ['/metrics'], ...extra('rolename', 'a') }, 'get')
class Labels extends Base {
  reconcile(): void {
    return undefined;
  }
}

@Controller({ for: Namespace, name: 'second', fieldManager: 'second' })
class MoreLabels extends Base {
  reconcile(): void {
    return undefined;
  }
}

@Admission(Pod, { objectSelector: { matchLabels: { team: 'a' } }, ...extra('failurPolicy', 'Ignore') })
class Pods {
  @Validate() check(): void {
    return undefined;
  }
}

export const classes: ResourceClass[] = [Widget, Labels, MoreLabels, Pods];
