import { Field } from '../../../src/resource/decorators/field.js';
import { kindWithSpec } from './classes.js';

class PodSetStatus {
  @Field() nodes!: string[];
}

export const classes = [kindWithSpec(PodSetStatus)];
