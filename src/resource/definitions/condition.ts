import type { ConditionLike } from '../../api/objects/condition.js';
import { Description } from '../decorators/description.js';
import { Field } from '../decorators/field.js';

/** metav1.Condition, for lists of conditions in a status. */
@Description('Condition contains details for one aspect of the current state of this API Resource.')
export class Condition implements ConditionLike {
  @Field(
    `lastTransitionTime is the last time the condition transitioned from one status to another.
This should be when the underlying condition changed.  If that is not known, then using the time when the API field changed is acceptable.`,
    { format: 'date-time' },
  )
  lastTransitionTime!: string;

  @Field(
    `message is a human readable message indicating details about the transition.
This may be an empty string.`,
    { maxLength: 32768 },
  )
  message!: string;

  @Field(
    `observedGeneration represents the .metadata.generation that the condition was set based upon.
For instance, if .metadata.generation is currently 12, but the .status.conditions[x].observedGeneration is 9, the condition is out of date
with respect to the current state of the instance.`,
    { format: 'int64', minimum: 0, optional: true },
  )
  observedGeneration?: number;

  @Field(
    `reason contains a programmatic identifier indicating the reason for the condition's last transition.
Producers of specific condition types may define expected values and meanings for this field,
and whether the values are considered a guaranteed API.
The value should be a CamelCase string.
This field may not be empty.`,
    { maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  )
  reason!: string;

  @Field('status of the condition, one of True, False, Unknown.', { enum: ['True', 'False', 'Unknown'] })
  status!: string;

  @Field('type of condition in CamelCase or in foo.example.com/CamelCase.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  })
  type!: string;
}
