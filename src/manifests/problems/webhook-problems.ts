import { compileExpression } from '../../crd/cel/compile-expression.js';
import { DYN } from '../../crd/cel/check/cel-type.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import type { WebhookMethod, WebhookModel } from '../../resource/webhooks/webhook-model.js';

/** Longer waits are noticed by users; with Ignore, by every write while the operator is down. */
const SLOW_SECONDS = { Fail: 5, Ignore: 3 } as const;

/** A statement such as `this.spec.zone ??= 'a';`. */
const CONSTANT_DEFAULT = /^this((?:\.\w+)+) \?\?= (?:'[^']*'|"[^"]*"|-?\d[\d_.]*|true|false);?$/;

/** Adds a diagnostic for each `match` that is not a valid CEL expression. */
export function collectWebhookExpressions({ target, webhooks }: ResourceModel, diagnostics: Diagnostics): void {
  const variables = { object: DYN, oldObject: DYN, request: DYN, authorizer: DYN };
  for (const { matchConditions, methods } of webhooks) {
    const match = matchConditions.find(({ name }) => name === 'match');
    const compiled = match && compileExpression(match.expression, variables, { mixed: true });
    if (typeof compiled !== 'string') continue;
    const member = methods[0]?.method;
    diagnostics.add(
      { target, member },
      `match is not a valid CEL expression: ${compiled}`,
      `match: 'object.spec.size > 1'`,
    );
  }
}

/** Warnings about webhooks that work, but with a risk that another way does not have. */
export function webhookWarnings(model: ResourceModel): string[] {
  return model.webhooks.flatMap((webhook) => [...warningsOf(webhook, model)]);
}

function* warningsOf(webhook: WebhookModel, { target }: ResourceModel): Generator<string> {
  const { failurePolicy, timeoutSeconds, sideEffects, type, methods } = webhook;
  const at = (member: string | undefined, text: string): string => located({ target, member }, text);
  const [first] = methods;
  if (timeoutSeconds > SLOW_SECONDS[failurePolicy])
    yield at(
      first?.method,
      `timeoutSeconds ${timeoutSeconds}: with failurePolicy ${failurePolicy}, each write may wait that long while the operator does not answer`,
    );
  for (const entry of methods) {
    const { method, isStatic } = entry;
    const source = sourceOf(target, method, isStatic);
    if (failurePolicy === 'Fail' && blocksDeletions(entry))
      yield at(
        method,
        `objects cannot be deleted while the operator does not run; failurePolicy: 'Ignore' permits deletions, 'Fail' accepts that`,
      );
    if (sideEffects === 'NoneOnDryRun' && !source.includes('dryRun'))
      yield at(method, 'sideEffects is NoneOnDryRun, but the method does not read review.dryRun');
    if (type === 'Mutating' && setsConstants(source))
      yield at(method, 'sets constants only; @Field({ default }) does so without a running operator');
  }
}

/** A policy that the class states accepts the risk. */
function blocksDeletions({ operations, statesFailurePolicy }: WebhookMethod): boolean {
  return operations.includes('DELETE') && !statesFailurePolicy;
}

function sourceOf(target: ResourceModel['target'], method: string | undefined, isStatic: boolean): string {
  if (method === undefined) return '';
  const owner: unknown = isStatic ? target : target.prototype;
  return String((owner as Readonly<Record<string, unknown>>)[method]);
}

function setsConstants(source: string): boolean {
  const body = source.slice(source.indexOf('{') + 1, source.lastIndexOf('}'));
  const statements = body.split('\n').flatMap((line) => line.trim().replace(/^\/\/.*/, '') || []);
  return statements.length > 0 && statements.every((statement) => CONSTANT_DEFAULT.test(statement));
}
