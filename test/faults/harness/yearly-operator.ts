import { Controller, CustomResource, Every, Field, Kind } from 'kindwright';

class JubileeStatus {
  @Field({ format: 'int32' }) turns: number = 0;
}

/** Has one time a year; the clock of its process starts shortly before it (see `clock-before-date.mjs`). */
@Kind({ group: 'faults.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 10 })
export class Jubilee extends CustomResource {
  @Field() status!: JubileeStatus;

  @Every('0 3 26 11 *', { timeZone: 'Europe/Berlin' })
  turn(): void {
    this.status.turns += 1;
  }

  reconcile(): void {
    // All work is that of the timer.
  }
}
