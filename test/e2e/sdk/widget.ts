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

export type Behaviour = (widget: Widget, ctx: Context) => unknown;

/** What the widgets do, by their names; those not named do nothing. */
export const behaviours = new Map<string, Behaviour>();
export const cleanups = new Map<string, Behaviour>();
/** Names of the widgets announced as gone, with what they were last known to be. */
export const gone: { readonly name: string; readonly value: string }[] = [];

/** A kind whose behaviour each test chooses. */
@Kind({ group: 'test.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 4 })
@Owns(ConfigMap)
export class Widget extends CustomResource {
  @Field() spec!: WidgetSpec;
  @Field() status!: WidgetStatus;

  async reconcile(ctx: Context): Promise<Result | void> {
    return (await behaviours.get(this.metadata.name)?.(this, ctx)) as Result | void;
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
    await behaviours.get(this.metadata.name)?.(this as unknown as Widget, ctx);
  }

  @Finalizer('test.kindwright.dev/clean')
  async clean(ctx: Context): Promise<Result | void> {
    return (await cleanups.get(this.metadata.name)?.(this as unknown as Widget, ctx)) as Result | void;
  }
}
