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

class WidgetSpec {
  @Field() value!: string;
}

class WidgetStatus {
  @Field({ optional: true }) seen?: string;
}

export type Behavior = (widget: Widget, ctx: Context) => unknown;

/** The reconcile functions of widgets by name; other widgets do nothing. */
export const behaviors = new Map<string, Behavior>();
export const cleanups = new Map<string, Behavior>();
/** The names of the widgets that were reported as deleted, with their last known state. */
export const gone: { readonly name: string; readonly value: string }[] = [];

/** A kind with a reconcile method that each test sets. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 4 })
@Owns(ConfigMap)
export class Widget extends CustomResource {
  @Field() spec!: WidgetSpec;
  @Field() status!: WidgetStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    return (await behaviors.get(this.metadata.name)?.(this, ctx)) as Result | void;
  }

  override deleted(): void {
    gone.push({ name: this.metadata.name, value: this.spec.value });
  }
}

/** A kind of cluster scope with a finalizer. */
@Kind({ group: 'test.kindwright.dev', version: 'v1', scope: 'Cluster' })
export class Gadget extends CustomResource {
  @Field() spec!: WidgetSpec;
  @Field() status!: WidgetStatus;

  async reconcile(ctx: Context): Promise<void> {
    await behaviors.get(this.metadata.name)?.(this as unknown as Widget, ctx);
  }

  @Finalizer('test.kindwright.dev/clean')
  async clean(ctx: Context): Promise<Result | void> {
    return (await cleanups.get(this.metadata.name)?.(this as unknown as Widget, ctx)) as Result | void;
  }
}
