import {
  isOfDefinition,
  type ClassModel,
  type FieldModel,
  type ValueModel,
} from '../../resource/fields/value-model.js';
import { inlinesOf, LINE_BREAK, type Block, type Inline } from './document.js';
import { ruleInlines, objectRules } from './rule-inlines.js';

/** A class of fields and the path to its objects: `spec.template`, `spec.items[]`, `spec.map.*`. */
interface Struct {
  readonly path: string;
  readonly classModel: ClassModel;
}

/** The tables of the fields of a version: one for each object with fields. The types of Kubernetes itself are named only. */
export class FieldTables {
  private readonly idsByPath = new Map<string, string>();

  constructor(private readonly version: string) {}

  blocks(root: ClassModel): Block[] {
    const structs = structsBelow({ path: '', classModel: root });
    for (const { path } of structs) this.idsByPath.set(path, this.uniqueId(path));
    return structs.flatMap((struct) => this.tableOf(struct));
  }

  private uniqueId(path: string): string {
    const id = `${this.version}-${path
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '')}`;
    const used = new Set(this.idsByPath.values());
    let unique = id;
    for (let number = 2; used.has(unique); number++) unique = `${id}-${number}`;
    return unique;
  }

  private tableOf({ path, classModel }: Struct): Block[] {
    const fields = classModel.fields.filter(({ name }) => path !== '' || !COMMON.includes(name));
    const id = this.idsByPath.get(path) ?? '';
    const head = ['Field', 'Type', 'Description'];
    const rows = fields.map((field) => this.row(field, path, classModel.required));
    if (path === '') return rows.length === 0 ? [] : [{ kind: 'table', head, rows }];
    return [
      { kind: 'heading', level: 3, id, text: path },
      ...(classModel.description === undefined
        ? []
        : [{ kind: 'paragraph', inlines: inlinesOf(classModel.description) } as const]),
      ...objectRules(classModel),
      { kind: 'table', head, rows },
    ];
  }

  private row({ name, isRequired, value }: FieldModel, path: string, required?: readonly string[]): Inline[][] {
    const isNeeded = required ? required.includes(name) : isRequired;
    const description = inlinesOf(value.description ?? value.class?.description ?? '');
    const rules = rulesOfValue(value);
    const details = [...(description.length > 0 ? [description] : []), ...rules];
    return [
      [{ code: name }, ...(isNeeded ? [' required'] : [])],
      this.type(value, joined(path, name)),
      details.flatMap((inlines, index): Inline[] => (index === 0 ? [...inlines] : [LINE_BREAK, ...inlines])),
    ];
  }

  private type(value: ValueModel, path: string): Inline[] {
    const { class: classModel, items, values, schema, rules } = value;
    if (items) return ['array of ', ...this.type(items, `${path}[]`)];
    if (values === true) return ['map'];
    if (values) return ['map of ', ...this.type(values, `${path}.*`)];
    const to = this.idsByPath.get(path);
    if (classModel && to !== undefined) return [{ text: path, to: `#${to}` }];
    if (classModel?.className) return [`${classModel.className} of Kubernetes`];
    return [scalarType({ ...rules, ...schema, type: schema ? schema.type : value.type })];
  }
}

/** The rules of a value, and those of its items or of the values of a map. */
function rulesOfValue({ rules, schema, items, values }: ValueModel): Inline[][] {
  const below = items ?? (values === true ? undefined : values);
  const label = items ? 'Items: ' : 'Values: ';
  return [
    ...ruleInlines({ ...rules, ...schema }),
    ...(below ? rulesOfValue(below).map((line): Inline[] => [label, ...line]) : []),
  ];
}

/** Fields that all kinds have. */
const COMMON = ['apiVersion', 'kind', 'metadata'];

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function structsBelow(struct: Struct): Struct[] {
  const below = struct.classModel.fields.flatMap(({ name, value }) => structsOf(value, joined(struct.path, name)));
  return [struct, ...below];
}

function structsOf({ class: classModel, items, values, schema }: ValueModel, path: string): Struct[] {
  if (schema) return [];
  if (items) return structsOf(items, `${path}[]`);
  if (values && values !== true) return structsOf(values, `${path}.*`);
  return classModel && !isOfDefinition(classModel) ? structsBelow({ path, classModel }) : [];
}

interface ScalarType {
  readonly type?: string | undefined;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

function scalarType({ type, format, nullable, ...rest }: ScalarType): string {
  const name = type ?? (rest['x-kubernetes-int-or-string'] ? 'integer or string' : 'any');
  return `${name}${format === undefined ? '' : ` (${format})`}${nullable ? ' or null' : ''}`;
}
