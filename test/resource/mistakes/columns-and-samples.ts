import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../../src/resource/decorators/print-column.js';
import { Sample } from '../../../src/resource/decorators/sample.js';
import { Sound } from './classes.js';

class Spec {
  @Field({ format: 'int32', maximum: 10 }) size!: number;
  @Field({ items: String, optional: true }) names?: string[];
}

@Kind({ group: 'apps.example.com', version: 'v1', scope: 'Cluster' })
@PrintColumn({ name: 'Size', type: 'int' as 'integer', jsonPath: '.spec.size' })
@PrintColumn({ name: ' ', type: 'string', jsonPath: 'spec.size', priority: -1 })
@PrintColumn({ name: 'Typo', type: 'string', jsonPath: '.spec.sise' })
@PrintColumn({ name: 'Status', type: 'string', jsonPath: '.status.phase' })
@PrintColumn({ name: 'Sound', type: 'string', jsonPath: '.spec.names[0]' })
@PrintColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@((Sample as (sample: object) => ClassDecorator)({ spec: { size: 1 } }))
@Sample({ name: 'no spec', spec: {} })
@Sample({ name: 'unknown', spec: { size: 1, sise: 2 } })
@Sample({ name: 'too-big', spec: { size: 11 } })
@Sample({ name: 'wrong-type', spec: { size: '1' } })
@Sample({ name: 'wrong-item', spec: { size: 1, names: ['a', 1] } })
@Sample({ name: 'somewhere', namespace: 'default', spec: { size: 1 } })
class Columns extends Sound {
  @Field() spec!: Spec;
}

export const classes = [Columns];
