import { nearest } from '../base/nearest.js';
import { OperatorError } from '../base/operator-error.js';
import { controllerOptions } from '../resource/kinds/controller-class.js';
import { GATES_OF_STAGES, type FeatureGate, type FeatureGates } from '../resource/feature-gates.js';
import { gatesOfClass } from '../resource/metadata.js';
import type { ResourceModel } from '../resource/model.js';
import { classesOf } from './problems/classes-of.js';

const OF_STAGES: readonly string[] = Object.values(GATES_OF_STAGES);

/**
 * The feature gates of decorators of classes and of the classes of their fields, and those of `@Controller({ featureGates })`,
 * each once, by name.
 *
 * @throws OperatorError for a gate with an invalid name or stage, and for gates of one name with different stages
 */
export function featureGatesOf(models: readonly ResourceModel[]): FeatureGate[] {
  const gates = new Map<string, FeatureGate>();
  for (const { target, classModel } of models) {
    const classes = new Set<object>([target, ...[...classesOf(classModel)].map((nested) => nested.target)]);
    const ofClasses = [...classes].flatMap(gatesOfClass);
    for (const gate of [...ofClasses, ...(controllerOptions(target).featureGates ?? [])]) {
      const { stage } = gates.get(gate.name) ?? checked(gate);
      if (stage !== gate.stage)
        throw invalid(
          `feature gate ${gate.name} has the stages ${stage} and ${gate.stage}`,
          'declare the gate once, as a constant that all decorators use',
        );
      gates.set(gate.name, gate);
    }
  }
  return [...gates.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns warnings about states that have no effect.
 *
 * @param given - the states that a user has set
 * @throws OperatorError for an unknown gate, and for a disabled one of stage `ga`
 */
export function checkFeatureGates(given: FeatureGates, gates: readonly FeatureGate[]): string[] {
  return Object.entries(given).flatMap(([name, isEnabled]) => {
    if (OF_STAGES.includes(name)) return [];
    const gate = gates.find((each) => each.name === name);
    if (!gate) throw unknown(name, gates);
    if (gate.stage !== 'ga') return [];
    if (!isEnabled)
      throw invalid(`feature gate ${name} is ga, and locked to true`, `remove ${name}=false; the feature is stable`);
    return [`feature gate ${name} is ga, so that ${name}=true has no effect; remove it`];
  });
}

/** `Backups=true,Probes=false`: the states that were set for these gates, as `--feature-gates` takes them. */
export function featureGatesText(given: FeatureGates, gates: readonly FeatureGate[]): string {
  const known = [...OF_STAGES, ...gates.map(({ name }) => name)].filter((name) => Object.hasOwn(given, name));
  return known.map((name) => `${name}=${String(given[name])}`).join(',');
}

function checked(gate: FeatureGate): FeatureGate {
  const { name, stage } = gate;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || OF_STAGES.includes(name))
    throw invalid(`feature gate "${name}" has an invalid name`, `use a name in camel case, such as 'Backups'`);
  if (['alpha', 'beta', 'ga'].includes(stage)) return gate;
  throw invalid(`feature gate ${name} has the unknown stage "${stage}"`, `stage: 'alpha', 'beta' or 'ga'`);
}

function unknown(name: string, gates: readonly FeatureGate[]): OperatorError {
  const names = gates.map((gate) => gate.name);
  const like = nearest(name, [...names, ...OF_STAGES]);
  const known = names.length === 0 ? 'no decorator has the option gate' : `the gates are ${names.join(', ')}`;
  return invalid(`unknown feature gate ${name}`, like === undefined ? known : `did you mean ${like}?`);
}

function invalid(problem: string, hint: string): OperatorError {
  return new OperatorError(problem, { code: 'E_CONFIG', hint });
}
