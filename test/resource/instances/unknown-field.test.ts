import { describe, expect, test } from '@jest/globals';
import { Condition, CustomResource, Field, Kind, Schema } from 'kindwright';
import { ResourceRequirements } from 'kindwright/definitions';
import { buildResourceModels } from '../../../src/resource/build-models.js';
import { unknownField } from '../../../src/resource/instances/unknown-field.js';

class Zone {
  @Field() name!: string;
}

@Schema({ preserveUnknownFields: true })
class Open {
  @Field() name!: string;
}

class HouseStatus {
  @Field({ items: Zone }) zones!: Zone[];
  @Field({ values: Zone }) byName!: Record<string, Zone>;
  @Field({ items: Condition }) conditions!: Condition[];
  @Field() resources!: ResourceRequirements;
  @Field({ values: String }) labels!: Record<string, string>;
  @Field() open!: Open;
}

@Kind({ group: 'test.example.com', version: 'v1' })
class House extends CustomResource {
  @Field() status!: HouseStatus;
  reconcile(): void {
    return undefined;
  }
}

const [model] = buildResourceModels([House]);
const status = model!.fields.find(({ name }) => name === 'status')!.value;
const find = (value: unknown, before: unknown = {}) => unknownField(value, before, status);

describe('unknownField', () => {
  test.each<[unknown, object]>([
    [{ phase: 'x' }, { path: '.phase', classModel: { className: 'HouseStatus' } }],
    [{ zones: [{ name: 'a' }, { nam: 'b' }] }, { path: '.zones[1].nam', classModel: { className: 'Zone' } }],
    [{ byName: { a: { nam: 'b' } } }, { path: '.byName.a.nam', classModel: { className: 'Zone' } }],
    [{ conditions: [{ typ: 'Ready' }] }, { path: '.conditions[0].typ' }],
    [{ resources: { limit: {} } }, { path: '.resources.limit', classModel: { className: 'ResourceRequirements' } }],
  ])('unknownField finds the member of %j that no class declares', (value, expected) => {
    expect(find(value)).toMatchObject(expected);
  });

  test.each<[unknown]>([
    [{ zones: [{ name: 'a' }], labels: { any: 'thing' }, open: { any: 'thing' } }],
    [{ resources: { limits: { cpu: '1' } } }],
    [{ zones: null }],
  ])('unknownField finds nothing in %j', (value) => {
    expect(find(value)).toBeUndefined();
  });

  test('a member that the object came with is accepted, but not another value for it', () => {
    expect(find({ phase: 'x' }, { phase: 'x' })).toBeUndefined();
    expect(find({ phase: 'y' }, { phase: 'x' })).toMatchObject({ path: '.phase' });
  });
});
