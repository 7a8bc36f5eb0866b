import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expression,
  type Ident,
  type LiteralValue,
} from './expression.js';
import { SourceError } from './source-error.js';

type Receiver = Call & { readonly target: Expression };
type Expand = (call: Receiver) => Expression;

/** Expands has(a.b). */
export function has(call: Call): Expression {
  const [argument] = call.args;
  if (argument?.kind === 'select') return { ...argument, isTest: true, at: call.at };
  throw new SourceError(argument?.at ?? call.at, 'invalid argument to has() macro');
}

/** Expands a macro call; other calls are returned unchanged: cel-go's parser/macro.go and ext libraries. */
export function expandMacro(call: Call): Expression {
  const { target } = call;
  const expand = MACROS[`${call.name}:${call.args.length}`];
  return expand && target ? expand({ ...call, target }) : call;
}

const literal = (value: LiteralValue, at: number): Expression => ({ kind: 'literal', value, at });
const result = (at: number): Ident => ({ kind: 'ident', name: ACCUMULATOR, at });
const invoke = (at: number, name: string, ...args: Expression[]): Call => ({ kind: 'call', name, args, at });
const member = (at: number, name: string, target: Expression, ...args: Expression[]): Call => ({
  kind: 'call',
  name,
  target,
  args,
  at,
});
const list = (at: number, ...items: Expression[]): Expression => ({ kind: 'list', items, at });
const last = (call: Call): Expression => call.args[call.args.length - 1] ?? literal(null, call.at);

function nameOf(argument: Expression | undefined, problem: string, at: number): string {
  if (argument?.kind !== 'ident') throw new SourceError(argument?.at ?? at, problem);
  if (argument.name === '__result__')
    throw new SourceError(argument.at, 'iteration variable overwrites accumulator variable');
  return argument.name;
}

type Variables = Pick<Comprehension, 'variable' | 'variable2'>;

function oneVariable({ args, at }: Call, problem = 'argument must be a simple name'): Variables {
  return { variable: nameOf(args[0], problem, at) };
}

function twoVariables({ args, at }: Call): Variables {
  const [variable, variable2] = [0, 1].map((index) => nameOf(args[index], 'argument must be a simple name', at)) as [
    string,
    string,
  ];
  if (variable === variable2) throw new SourceError(args[1]?.at ?? at, `duplicate variable name: ${variable}`);
  return { variable, variable2 };
}

function fold(
  { target, at }: Receiver,
  variables: Variables,
  parts: Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>,
): Expression {
  return { kind: 'comprehension', range: target, ...variables, accumulator: ACCUMULATOR, ...parts, at };
}

function all(call: Receiver, variables: Variables): Expression {
  const { at } = call;
  return fold(call, variables, {
    init: literal(true, at),
    condition: invoke(at, '@not_strictly_false', result(at)),
    step: invoke(at, '_&&_', result(at), last(call)),
    result: result(at),
  });
}

function exists(call: Receiver, variables: Variables): Expression {
  const { at } = call;
  return fold(call, variables, {
    init: literal(false, at),
    condition: invoke(at, '@not_strictly_false', invoke(at, '!_', result(at))),
    step: invoke(at, '_||_', result(at), last(call)),
    result: result(at),
  });
}

function existsOne(call: Receiver, variables: Variables): Expression {
  const { at } = call;
  return fold(call, variables, {
    init: literal(0n, at),
    condition: literal(true, at),
    step: invoke(at, '_?_:_', last(call), invoke(at, '_+_', result(at), literal(1n, at)), result(at)),
    result: invoke(at, '_==_', result(at), literal(1n, at)),
  });
}

/** Collects the results of `step` for the elements that pass the filter. */
function collect(
  call: Receiver,
  variables: Variables,
  init: Expression,
  step: Expression,
  filter?: Expression,
): Expression {
  const { at } = call;
  return fold(call, variables, {
    init,
    condition: literal(true, at),
    step: filter ? invoke(at, '_?_:_', filter, step, result(at)) : step,
    result: result(at),
  });
}

function append(at: number, item: Expression): Expression {
  return invoke(at, '_+_', result(at), list(at, item));
}

function map(call: Receiver): Expression {
  const filter = call.args.length === 3 ? call.args[1] : undefined;
  const variables = oneVariable(call, 'argument is not an identifier');
  return collect(call, variables, list(call.at), append(call.at, last(call)), filter);
}

function filter(call: Receiver): Expression {
  const variables = oneVariable(call, 'argument is not an identifier');
  const item: Expression = { kind: 'ident', name: variables.variable, at: call.args[0]?.at ?? call.at };
  return collect(call, variables, list(call.at), append(call.at, item), call.args[1]);
}

function filterOf(call: Call): Expression | undefined {
  return call.args.length === 4 ? call.args[2] : undefined;
}

function transformList(call: Receiver): Expression {
  return collect(call, twoVariables(call), list(call.at), append(call.at, last(call)), filterOf(call));
}

function transformMap(call: Receiver): Expression {
  const { at } = call;
  const variables = twoVariables(call);
  const key: Expression = { kind: 'ident', name: variables.variable, at };
  const step = invoke(at, 'cel.@mapInsert', result(at), key, last(call));
  return collect(call, variables, { kind: 'map', entries: [], at }, step, filterOf(call));
}

function transformMapEntry(call: Receiver): Expression {
  const { at } = call;
  const step = invoke(at, 'cel.@mapInsert', result(at), last(call));
  return collect(call, twoVariables(call), { kind: 'map', entries: [], at }, step, filterOf(call));
}

/** Binds a name to a value: a fold over an empty list with the name as accumulator. */
function bind(at: number, name: string, value: Expression, body: Expression): Expression {
  return {
    kind: 'comprehension',
    range: list(at),
    variable: '#unused',
    accumulator: name,
    init: value,
    condition: literal(false, at),
    step: { kind: 'ident', name, at },
    result: body,
    at,
  };
}

function optional(call: Receiver, wraps: boolean): Expression {
  const { at, target, name } = call;
  const variable = nameOf(call.args[0], `${name}() variable name must be a simple identifier`, at);
  const body = bind(at, variable, member(at, 'value', target), last(call));
  const some = wraps ? invoke(at, 'optional.of', body) : body;
  return invoke(at, '_?_:_', member(at, 'hasValue', target), some, invoke(at, 'optional.none'));
}

function sortBy(call: Receiver): Expression {
  const { at, target } = call;
  if (target.kind === 'literal' || target.kind === 'map')
    throw new SourceError(
      target.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  const input: Ident = { kind: 'ident', name: '@__sortBy_input__', at };
  const keys = map({ ...call, target: input });
  return bind(at, input.name, target, member(at, '@sortByAssociatedKeys', input, keys));
}

const MACROS: Readonly<Record<string, Expand>> = {
  'all:2': (call) => all(call, oneVariable(call)),
  'all:3': (call) => all(call, twoVariables(call)),
  'exists:2': (call) => exists(call, oneVariable(call)),
  'exists:3': (call) => exists(call, twoVariables(call)),
  'exists_one:2': (call) => existsOne(call, oneVariable(call)),
  'exists_one:3': (call) => existsOne(call, twoVariables(call)),
  'existsOne:3': (call) => existsOne(call, twoVariables(call)),
  'map:2': map,
  'map:3': map,
  'filter:2': filter,
  'transformList:3': transformList,
  'transformList:4': transformList,
  'transformMap:3': transformMap,
  'transformMap:4': transformMap,
  'transformMapEntry:3': transformMapEntry,
  'transformMapEntry:4': transformMapEntry,
  'optMap:2': (call) => optional(call, true),
  'optFlatMap:2': (call) => optional(call, false),
  'sortBy:2': sortBy,
};
