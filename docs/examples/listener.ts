import { ValidateBy } from 'class-validator';
import { CustomResource, Field, Kind, RuntimeOnly, Validate } from 'kindwright';

/** A rule that no schema expresses. */
const IsPalindrome = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPalindrome',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value === [...value].reverse().join(''),
      defaultMessage: () => '$property must read the same backwards',
    },
  });

class Port {
  @Field() @RuntimeOnly() @IsPalindrome() name!: string;
}

class ListenerSpec {
  @Field({ items: Port }) ports!: Port[];
}

@Kind({ group: 'docs.example.com', version: 'v1' })
@Validate()
export class Listener extends CustomResource {
  @Field() spec!: ListenerSpec;

  reconcile(): void {
    // The ports are valid.
  }
}
