import { useState } from 'preact/hooks';
import type { Finding } from '../../wire.js';
import { announce } from '../announcement.js';
import { formatAgo, formatNoun } from '../format.js';
import { FieldChanges } from '../parts/field-changes.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/message.js';
import { ObjectLink } from '../parts/references.js';
import { State } from '../parts/state.js';
import { hrefOf, route } from '../router.js';
import { findings, now } from '../store.js';

/** Problems that the operator has found in its own runs, each with its cause and what to change. */
export function DoctorScreen() {
  const all = findings.value;
  return (
    <div class="screen">
      <div class="title">
        <h1>Doctor</h1>
        {all && all.length > 0 && <span class="muted">{formatNoun(all.length, 'finding')}</span>}
      </div>
      {!all && <Empty title="Loading findings …" />}
      {all?.length === 0 && (
        <Empty title="No findings">
          The doctor reports reconciles that trigger themselves, fields that two writers change, repeated errors, stuck
          runs and watches without events.
        </Empty>
      )}
      <ul class="stack">
        {all?.map((finding) => (
          <FindingPanel key={finding.id} finding={finding} />
        ))}
      </ul>
    </div>
  );
}

function FindingPanel({ finding }: { readonly finding: Finding }) {
  const { id, level, rule, message, hint, change, location, runs, object } = finding;
  return (
    <li class={`panel finding finding-${level}`} aria-current={route.value.id === id ? 'true' : undefined}>
      <header>
        {level === 'error' ? (
          <State tone="bad" icon="bad" text="Error" />
        ) : (
          <State tone="warn" icon="warn" text="Warning" />
        )}
        <code class="muted">{rule}</code>
        {object && <ObjectLink object={object} />}
        <span class="muted">
          since {formatAgo(finding.firstAt, now.value)}, last {formatAgo(finding.lastAt, now.value)}
        </span>
      </header>
      <div class="body stack">
        <h2>{message}</h2>
        {change && <FieldChanges changes={[change]} />}
        <div class="hint">
          <Icon name="edit" />
          <div>
            <p>{hint}</p>
            {location && (
              <p>
                <code class="location">{location}</code> <CopyButton text={location} />
              </p>
            )}
          </div>
        </div>
        {runs.length > 0 && (
          <p class="muted">
            Runs that show it:{' '}
            {runs.slice(0, 5).map((run, index) => (
              <span key={run}>
                {index > 0 && ', '}
                <a href={hrefOf('runs', run)}>{run.slice(0, 8)}</a>
              </span>
            ))}
            {runs.length > 5 && ` and ${String(runs.length - 5)} more`}
          </p>
        )}
      </div>
    </li>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="plain"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          announce('Copied');
        });
      }}
    >
      {isCopied ? 'Copied' : 'Copy'}
      <span class="hidden-text"> {text}</span>
    </button>
  );
}
