import {
  ConfigMap,
  Controller,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  Owns,
  type Context,
  type Result,
} from 'kindwright';

class GearSpec {
  @Field() value!: string;
}

class GearStatus {
  @Field({ optional: true }) seen?: string;
}

export type Behavior<T> = (self: T, ctx: Context) => Promise<Result | void>;

/** The behavior of the objects of one namespace; each row of the table has its own namespace. */
export interface NamespaceBehavior {
  readonly gear: Behavior<Gear>;
  readonly axle: Behavior<Axle>;
  /** The finalizer of an axle. */
  readonly release: Behavior<Axle>;
  readonly deleted: (self: Gear) => void;
}

export const behaviors = new Map<string, NamespaceBehavior>();

function behaviorOf({ metadata }: CustomResource): NamespaceBehavior | undefined {
  return behaviors.get(metadata.namespace ?? '');
}

/** A kind with one child. */
@Kind({ group: 'faults.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 4 })
@Owns(ConfigMap)
export class Gear extends CustomResource {
  @Field() spec!: GearSpec;
  @Field() status!: GearStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    return behaviorOf(this)?.gear(this, ctx);
  }

  override deleted(): void {
    behaviorOf(this)?.deleted(this);
  }
}

/** A kind with a finalizer. */
@Kind({ group: 'faults.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 4 })
export class Axle extends CustomResource {
  @Field() spec!: GearSpec;
  @Field() status!: GearStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    return behaviorOf(this)?.axle(this, ctx);
  }

  @Finalizer('faults.kindwright.dev/release')
  async release(ctx: Context): Promise<Result | void> {
    return behaviorOf(this)?.release(this, ctx);
  }
}

/** Applies a ConfigMap of the gear's name and reports the applied value. */
export async function applyChild(self: Gear, ctx: Context): Promise<void> {
  await ctx.apply(ConfigMap, { metadata: { name: self.metadata.name }, data: { value: self.spec.value } });
  self.status.seen = self.spec.value;
}
