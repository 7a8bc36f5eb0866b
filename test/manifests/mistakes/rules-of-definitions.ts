import { ServicePort } from '../../../src/definitions.js';
import { Field } from '../../../src/resource/decorators/field.js';
import { Immutable } from '../../../src/resource/decorators/rules/immutable.js';
import { kindWithSpec } from '../../resource/mistakes/classes.js';

class Ports {
  @Field({ items: { type: ServicePort, validations: [{ rule: "self.portt != 'x'" }] } }) ports!: ServicePort[];
  @Field({ values: { items: ServicePort, listType: 'map', listMapKeys: ['port', 'protocol'] } })
  @Immutable()
  byZone!: Record<string, ServicePort[]>;
}

export const classes = [kindWithSpec(Ports)];
