import { Condition, type Context, Controller, CustomResource, Field, Finalizer, Kind, setReady } from 'kindwright';

class PrinterSpec {
  @Field() driver!: string;
}

class PrinterStatus {
  @Field() conditions?: Condition[];
  /** The last reconcile that was requested by the annotation kindwright.dev/reconcile-requested-at. */
  @Field() lastHandledReconcileAt?: string;
}

/** A printer that its owner can pause, and reconcile immediately. */
@Kind({ group: 'example.com', version: 'v1' })
@Controller({ pausedDeletion: 'wait' })
export class Printer extends CustomResource {
  @Field() spec!: PrinterSpec;
  @Field() status!: PrinterStatus;

  reconcile(_ctx: Context): void {
    setReady(this.status, true, 'Configured', `driver ${this.spec.driver}`);
  }

  @Finalizer('example.com/printer')
  unregister(ctx: Context): void {
    ctx.log.info('Unregistered');
  }
}
