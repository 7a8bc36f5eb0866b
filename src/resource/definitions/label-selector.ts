import type {
  LabelSelector as LabelSelectorData,
  LabelSelectorRequirement as LabelSelectorRequirementData,
} from '../../api/selection/label-selector.js';
import { Description } from '../decorators/description.js';
import { Field } from '../decorators/field.js';
import { Schema } from '../decorators/schema.js';

/** metav1.LabelSelectorRequirement. */
@Description(
  `A label selector requirement is a selector that contains values, a key, and an operator that
relates the key and values.`,
)
export class LabelSelectorRequirement implements LabelSelectorRequirementData {
  @Field('key is the label key that the selector applies to.')
  key!: string;

  @Field(
    `operator represents a key's relationship to a set of values.
Valid operators are In, NotIn, Exists and DoesNotExist.`,
    { type: String },
  )
  operator!: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

  @Field(
    `values is an array of string values. If the operator is In or NotIn,
the values array must be non-empty. If the operator is Exists or DoesNotExist,
the values array must be empty. This array is replaced during a strategic
merge patch.`,
    { items: String, listType: 'atomic', optional: true },
  )
  values?: string[];
}

/** metav1.LabelSelector, for fields that select objects by their labels. */
@Description(
  `A label selector is a label query over a set of resources. The result of matchLabels and
matchExpressions are ANDed. An empty label selector matches all objects. A null
label selector matches no objects.`,
)
@Schema({ mapType: 'atomic' })
export class LabelSelector implements LabelSelectorData {
  @Field('matchExpressions is a list of label selector requirements. The requirements are ANDed.', {
    items: LabelSelectorRequirement,
    listType: 'atomic',
    optional: true,
  })
  matchExpressions?: LabelSelectorRequirement[];

  @Field(
    `matchLabels is a map of {key,value} pairs. A single {key,value} in the matchLabels
map is equivalent to an element of matchExpressions, whose key field is "key", the
operator is "In", and the values array contains only "value". The requirements are ANDed.`,
    { values: String, optional: true },
  )
  matchLabels?: Record<string, string>;
}
