import { Fragment } from 'preact';
import type { OpDetail } from '../../wire.js';
import { displayDuration, formatNoun } from '../format.js';
import { hrefOf } from '../router.js';
import { FieldChanges } from './field-changes.js';
import { Icon } from './icon.js';
import { kindName, objectName } from './references.js';
import { State } from './state.js';

interface WaterfallProps {
  readonly ops: readonly OpDetail[];
  /** The duration of the run; undefined while it is running. */
  readonly totalMs: number | undefined;
}

/** The calls of a run as a table, with a bar for each that shows when it ran. */
export function Waterfall({ ops, totalMs }: WaterfallProps) {
  const endMs = Math.max(totalMs ?? 0, ...ops.map(({ atMs, ms = 0 }) => atMs + ms), 0.001);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Reads and writes, scrollable">
      <table class="waterfall">
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              At
            </th>
            <th scope="col" class="number">
              Took
            </th>
            <td class="waterfall-scale" aria-hidden="true">
              <span class="scale">
                <span>0</span>
                <span>{displayDuration(endMs / 2)}</span>
                <span>{displayDuration(endMs)}</span>
              </span>
            </td>
          </tr>
        </thead>
        <tbody>
          {ops.map((op, index) => (
            <Fragment key={index}>
              <tr>
                <th scope="row">
                  <span class={`verb ${isWrite(op) ? 'verb-write' : ''}`}>{op.do}</span> <Target op={op} />
                </th>
                <td>
                  <Result op={op} />
                </td>
                <td class="number nowrap muted">{displayDuration(op.atMs)}</td>
                <td class="number nowrap">
                  <Duration op={op} />
                </td>
                <td class="waterfall-bar" aria-hidden="true">
                  <span class={barClass(op)} style={barStyle(op, endMs)} />
                </td>
              </tr>
              <Details op={op} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isWrite(op: OpDetail): boolean {
  return op.do !== 'get' && op.do !== 'list';
}

function Target({ op }: { readonly op: OpDetail }) {
  const { kind = '', namespace, name, uid } = op;
  if (op.do === 'event') return <>{op.reason}</>;
  if (name === undefined) return <>{`${kindName(kind)}${namespace ? ` in ${namespace}` : ' in all namespaces'}`}</>;
  const text = `${kindName(kind)} ${objectName(namespace ? { namespace, name } : { name })}`;
  return uid ? <a href={hrefOf('objects', uid)}>{text}</a> : <>{text}</>;
}

function Result({ op }: { readonly op: OpDetail }) {
  if (op.error) return <State tone="bad" icon="bad" text="Failed" />;
  if (op.ms === undefined && op.do !== 'event') return <State tone="busy" icon="busy" text="Running" />;
  if (op.isSkipped) return <span class="muted">not sent: already as desired</span>;
  if (op.do === 'event')
    return <State tone={op.eventType === 'Warning' ? 'warn' : 'none'} icon="none" text={op.eventType ?? ''} />;
  if (!isWrite(op)) {
    const found = op.found ?? 0;
    const count = op.do === 'list' ? formatNoun(found, 'object') : found > 0 ? 'found' : 'not found';
    return (
      <span class="muted">
        {count}, from the {op.from ?? 'cache'}
      </span>
    );
  }
  return <State tone="ok" icon="ok" text={op.changes?.length === 0 ? 'No change' : 'Written'} />;
}

function Details({ op }: { readonly op: OpDetail }) {
  const hasChanges = (op.changes?.length ?? 0) > 0;
  if (!op.error && !op.message && !hasChanges && !op.isDiffDropped) return null;
  return (
    <tr class="waterfall-details">
      <td colSpan={5}>
        {op.error && (
          <p class="state-bad">
            <Icon name="warn" /> {op.error}
          </p>
        )}
        {op.message && <p>{op.message}</p>}
        {hasChanges && <FieldChanges changes={op.changes ?? []} omitted={op.changesOmitted} />}
        {op.isDiffDropped && <p class="muted">The states before and after are no longer kept.</p>}
      </td>
    </tr>
  );
}

function Duration({ op }: { readonly op: OpDetail }) {
  if (op.do === 'event') return <>–</>;
  return <>{op.ms === undefined ? 'running' : displayDuration(op.ms)}</>;
}

function barClass(op: OpDetail): string {
  if (op.error) return 'bar bar-bad';
  if (op.isSkipped) return 'bar bar-skipped';
  return isWrite(op) ? 'bar bar-write' : 'bar';
}

function barStyle({ atMs, ms }: OpDetail, endMs: number) {
  const left = (atMs / endMs) * 100;
  const width = ((ms ?? endMs - atMs) / endMs) * 100;
  return { marginLeft: `${left.toFixed(2)}%`, width: `${Math.min(width, 100 - left).toFixed(2)}%` };
}
