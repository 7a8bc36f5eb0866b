import * as kinds from '../../api/kinds/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import { ownMember } from '../../base/own-member.js';
import { displayPath } from '../../base/display-path.js';
import { errorPlace } from './error-place.js';

/**
 * Returns the error of a failed import, with its file and line.
 *
 * @param isOwn - returns whether a module is the user's, not one of a package
 */
export function toLoadError(error: unknown, file: string, isOwn: (path: string) => boolean): OperatorError {
  if (error instanceof OperatorError) return error;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error), { cause: error });
  const { path, line } = errorPlace(message, stack, isOwn) ?? { path: file };
  const place = `${displayPath(path)}${line === undefined ? '' : `:${line}`}`;
  return new OperatorError(`${place}: ${message}`, { code: 'E_LOAD', hint: hintFor(message), cause: error });
}

/** Files in a scope, as in the paths of tsconfig.json; few packages have such a name. */
const SCOPED_FILE = /^@[^/]+\/.*\.[cm]?[jt]sx?$/;

function missingPackageHint(name: string): string {
  if (!SCOPED_FILE.test(name)) return `npm install ${name}`;
  return `for a path of tsconfig.json use "imports" in package.json or a relative path; for a package: npm install ${name}`;
}

/** The replacements of exports of earlier versions. */
const FORMER: Readonly<Record<string, string>> = {
  StructType: `@Schema({ mapType: 'atomic' })`,
  joinProbes: 'joinObservers',
};

function hintFor(message: string): string | undefined {
  const [, missing] = /Cannot find package '([^']+)'/.exec(message) ?? [];
  if (missing !== undefined) return missingPackageHint(missing);
  const [, later] = /Cannot access '([^']+)' before initialization/.exec(message) ?? [];
  if (later !== undefined) return `move ${later} above, or into a file that does not import this one`;
  if (message.startsWith('Class extends value #<Object>'))
    return `a kind such as Pod cannot be extended: extend ObjectController<Pod>, with @Controller({ for: Pod })`;
  const [, from = '', name] = /module '([^']+)' does not provide an export named '([^']+)'/.exec(message) ?? [];
  return name === undefined ? undefined : missingExportHint(from, name);
}

function missingExportHint(from: string, name: string): string {
  const replacement = from === 'kindwright' ? ownMember(FORMER, name) : undefined;
  if (replacement !== undefined) return `write ${replacement}`;
  if (from === 'kindwright/definitions' && Object.hasOwn(kinds, name))
    return `import { ${name} } from 'kindwright', which exports each kind once`;
  return `if ${name} is only a type, import it as one: import { type ${name} } from …`;
}
