// Writes nothing but Events.
import { Context, CustomResource, Field, Kind, Sample } from 'kindwright';

class AlarmSpec {
  @Field({ maxLength: 50 }) text!: string;
}

/** Records a text. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Sample({ name: 'fire', spec: { text: 'Leave the house' } })
export class Alarm extends CustomResource {
  @Field() spec!: AlarmSpec;

  reconcile(ctx: Context): void {
    ctx.event('Normal', 'Announced', this.spec.text);
  }
}
