import { Field } from '../../../src/resource/decorators/field.js';
import { Kind } from '../../../src/resource/decorators/kind.js';
import { PrintColumn } from '../../../src/resource/decorators/print-column.js';
import { Scale } from '../../../src/resource/decorators/scale.js';
import { SelectableField } from '../../../src/resource/decorators/selectable-field.js';
import { Sound } from './classes.js';

class Port {
  @Field() @PrintColumn() name!: string;
  @Field() @SelectableField() protocol!: string;
}

class Side {
  @Field() @PrintColumn({ type: 'text' as 'string' }) zone!: string;
}

class Spec {
  @Field({ items: Port }) ports!: Port[];
  @Field() left!: Side;
  @Field() right!: Side;
  @Field({ format: 'double' }) @SelectableField() ratio!: number;
  @Field() size!: string;
  @PrintColumn() @SelectableField() forgotten = '';
}

@Kind({ group: 'apps.example.com', version: 'v1' })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.spec.size', labelSelectorPath: '.status.selector' })
@SelectableField('.spec.sise')
@SelectableField('.metadata.name')
@SelectableField('.spec.ports[0].name')
@PrintColumn({ name: 'Size', type: 'string', jsonPath: '.spec.size', format: 'int' as 'int32' })
class Paths extends Sound {
  @Field() spec!: Spec;
}

export const classes = [Paths];
