import type { Diagnostics } from '../../resource/diagnostics.js';
import type { ResourceModel } from '../../resource/model.js';
import type { Operator } from '../operator.js';

/**
 * Adds a diagnostic for each `@Inject` property whose value only another operator provides: it runs in another process.
 *
 * The calls of `provide` are read from the text of `onStart`. A hook that passes its context on may provide anything.
 */
export function collectMissingInjections(operators: readonly Operator[], diagnostics: Diagnostics): void {
  const provided = operators.map(({ models }) => providedNames(models));
  for (const [index, { name, sourceFiles, models }] of operators.entries()) {
    for (const { target, injections } of models)
      for (const { property, token } of injections) {
        if (provided[index]?.has(token.name) !== false) continue;
        const other = operators.find((_, at) => provided[at]?.has(token.name) === true);
        if (other)
          diagnostics.add(
            { target, member: property },
            `the Deployment of ${name} runs ${sourceFiles.join(' ')}, and only ${other.sourceFiles.join(' ')} provides ${token.name}`,
            `call provide(${token.name}, …) in static onStart of a class of ${name}, or make both one operator: export their ` +
              'classes from one file, see "Which files form an operator" in docs/deployment.md',
          );
      }
  }
}

/** Returns the names of the classes that start hooks provide; undefined if their text is not conclusive. */
function providedNames(models: readonly ResourceModel[]): ReadonlySet<string> | undefined {
  const provided = models.map(({ target }) => providedBy((target as { readonly onStart?: unknown }).onStart));
  return provided.includes(undefined) ? undefined : new Set(provided.flatMap((names) => names ?? []));
}

function providedBy(onStart: unknown): readonly string[] | undefined {
  if (typeof onStart !== 'function') return [];
  const [, parameter = '', body = ''] = /^[^(]*\((\s*\{[^}]*\}\s*)?\)\s*\{([^]*)\}$/.exec(String(onStart)) ?? [];
  const uses = [...body.matchAll(/\bprovide\b(?:\(\s*(\w+)\s*,)?/g)].map(([, name]) => name);
  const isReadable = !/\.\.\.|:/.test(parameter) && body !== '';
  return isReadable && uses.every((name) => name !== undefined) ? uses : undefined;
}
