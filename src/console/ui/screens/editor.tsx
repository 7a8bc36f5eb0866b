import { useEffect, useRef, useState } from 'preact/hooks';
import type { ObjectDetail, WriteDiagnostic, WriteOutcome } from '../../wire.js';
import { announce } from '../announcement.js';
import { postJson } from '../api.js';
import { formatNoun } from '../format.js';
import { FieldChanges } from '../parts/field-changes.js';
import { Icon } from '../parts/icon.js';
import { lazy } from '../parts/lazy.js';
import { Empty, Failure, Pending } from '../parts/message.js';
import { kindName, objectName } from '../parts/references.js';
import { State } from '../parts/state.js';
import { SuggestionList, SUGGESTIONS_ID } from '../parts/suggestion-list.js';
import type { EditorHandle } from '../parts/yaml-editor.js';
import { hrefOf, route } from '../router.js';
import { hello, isDevelopment } from '../store.js';
import { suggestionsAt, type FieldSchema } from '../suggestions.js';
import { useJson } from '../use-json.js';

const YamlEditor = lazy(async () => (await import('../parts/yaml-editor.js')).YamlEditor);

/** The pause in typing after which the API server checks the text. */
const PAUSE_MS = 500;

/** Changes an object, or creates one: the API server checks the text while it is typed. */
export function EditorScreen() {
  const uid = route.value.id;
  if (!hello.value) return <Empty title="Connecting …" />;
  if (!isDevelopment.value) {
    return <Empty title="The console is read-only">Objects can be changed in development mode only.</Empty>;
  }
  return uid ? <EditObject key={uid} uid={uid} /> : <Editor title="New object" text={newObject()} />;
}

function EditObject({ uid }: { readonly uid: string }) {
  const { data, error } = useJson<ObjectDetail>(`objects/${encodeURIComponent(uid)}`);
  if (!data) return <Pending error={error} what="the object" />;
  const { row, yaml, isPartial } = data;
  if (isPartial) return <Empty title="The object cannot be edited">The operator caches only a part of it.</Empty>;
  return <Editor title={`${kindName(row.kind)} ${objectName(row)}`} text={editableText(yaml)} uid={uid} />;
}

interface Check {
  /** The text that was checked. */
  readonly text: string;
  readonly result?: WriteOutcome;
  readonly error?: Error;
  readonly isApplied?: true;
}

function Editor({ title, text: first, uid }: { readonly title: string; readonly text: string; readonly uid?: string }) {
  const [initial, setInitial] = useState(first);
  const [text, setText] = useState(first);
  const [check, setCheck] = useState<Check>({ text: first });
  const [isBusy, setBusy] = useState(false);
  const [cursor, setCursor] = useState<Cursor>({ offset: 0, text: first });
  const handle = useRef<EditorHandle | undefined>(undefined);
  const isChanged = text !== initial || !uid;

  const send = async (path: 'validate' | 'apply') => {
    setBusy(true);
    try {
      const result = await postJson<WriteOutcome>(path, text);
      const isApplied = path === 'apply' && result.ok;
      const next = isApplied && result.yaml !== undefined ? editableText(result.yaml) : text;
      setCheck({ text: next, result, ...(isApplied ? { isApplied: true } : {}) });
      if (isApplied) {
        setInitial(next);
        setText(next);
      }
      announce(summaryOf(result, isApplied));
    } catch (error) {
      setCheck({ text, error: error as Error });
    }
    setBusy(false);
  };
  useEffect(() => {
    if (text === check.text) return;
    const timer = window.setTimeout(() => void send('validate'), PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
    };
  }, [text]);
  const isChecked = check.text === text && check.result?.ok === true;
  return (
    <div class="screen screen-fill">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={hrefOf('objects')}>Objects</a>
        <span aria-hidden="true">/</span>
        {uid ? <a href={hrefOf('objects', uid)}>{title}</a> : <span>{title}</span>}
      </nav>
      <div class="title">
        <h1>{uid ? `Edit ${title}` : title}</h1>
        <div class="actions">
          <button
            type="button"
            disabled={!isChanged}
            onClick={() => {
              setInitial(first);
              setText(first);
              setCheck({ text: first });
            }}
          >
            Revert
          </button>
          <button type="button" disabled={isBusy} onClick={() => void send('validate')}>
            Dry run
          </button>
          <button
            type="button"
            class="primary"
            disabled={isBusy || !isChecked || !isChanged}
            onClick={() => void send('apply')}
          >
            Apply
          </button>
        </div>
      </div>
      <div class="split editor-split">
        <section class="panel editor-panel" aria-label="Text">
          <YamlEditor
            initial={initial}
            diagnostics={check.result?.diagnostics ?? NONE}
            onChange={setText}
            onCursor={(offset, present) => setCursor({ offset, text: present })}
            onComplete={() => document.querySelector<HTMLElement>(`#${SUGGESTIONS_ID} button`)?.focus()}
            handle={handle}
          />
        </section>
        <div class="stack">
          <section class="panel" aria-labelledby="check-title">
            <header>
              <h2 id="check-title">{check.isApplied ? 'Applied' : 'Dry run on the API server'}</h2>
            </header>
            <div class="body stack">
              <CheckResult check={check} isCurrent={check.text === text} isChanged={isChanged} />
            </div>
          </section>
          <Fields cursor={cursor} handle={handle} />
        </div>
      </div>
    </div>
  );
}

const NONE: readonly WriteDiagnostic[] = [];

interface Cursor {
  readonly offset: number;
  readonly text: string;
}

interface FieldsProps {
  readonly cursor: Cursor;
  readonly handle: { current: EditorHandle | undefined };
}

/** The fields that the schema of the object's kind has at the cursor; nothing for kinds of others. */
function Fields(props: FieldsProps) {
  const kind = kindIn(props.cursor.text);
  const isOwn = hello.value?.controllers.some((controller) => controller.kind === kind);
  return isOwn ? <FieldsOfKind kind={kind} {...props} /> : null;
}

function FieldsOfKind({ cursor, handle, kind }: FieldsProps & { readonly kind: string }) {
  const { data } = useJson<FieldSchema>(`schema/${encodeURIComponent(kind)}`);
  if (!data) return null; // a kind that another operator defines
  return (
    <section class="panel" aria-labelledby="fields-title">
      <header>
        <h2 id="fields-title">Fields at the cursor</h2>
      </header>
      <div class="body stack">
        <SuggestionList
          suggestions={suggestionsAt(data, cursor.text, cursor.offset)}
          onChoose={({ from, insert }) => handle.current?.insert(from, insert)}
          onLeave={() => handle.current?.focus()}
        />
      </div>
    </section>
  );
}

/** The id of the kind of an object in a text. */
function kindIn(text: string): string {
  const [, group] = /^apiVersion: *([\w.-]+)\//m.exec(text) ?? [];
  const [, kind = 'unknown'] = /^kind: *(\w+)/m.exec(text) ?? [];
  return group === undefined ? kind : `${kind}.${group}`;
}

function CheckResult({
  check,
  isCurrent,
  isChanged,
}: {
  readonly check: Check;
  readonly isCurrent: boolean;
  readonly isChanged: boolean;
}) {
  const { result, error, isApplied } = check;
  if (error) return <Failure error={error} />;
  if (!isCurrent) return <p class="muted">Checking …</p>;
  if (!result)
    return (
      <p class="muted">{isChanged ? 'Not checked yet.' : 'Change the text to see what the API server answers.'}</p>
    );
  return (
    <>
      {result.ok ? (
        <State tone="ok" icon="ok" text={summaryOf(result, isApplied === true)} />
      ) : (
        <State tone="bad" icon="bad" text={summaryOf(result, false)} />
      )}
      <ul class="stack">
        {result.diagnostics.map((diagnostic) => (
          <DiagnosticLine key={`${String(diagnostic.line)} ${diagnostic.message}`} diagnostic={diagnostic} />
        ))}
      </ul>
      {result.changes.length > 0 && <FieldChanges changes={result.changes} />}
    </>
  );
}

function DiagnosticLine({ diagnostic }: { readonly diagnostic: WriteDiagnostic }) {
  const { level, message, path, line, manager } = diagnostic;
  return (
    <li class={`note note-${level === 'error' ? 'bad' : 'warn'}`}>
      <Icon name="warn" />
      <div>
        {line !== undefined && <strong>Line {line}: </strong>}
        {path && <code>{path}</code>} {message}
        {manager && (
          <p>
            The field is managed by <strong>{manager}</strong>. Change it there, or remove it from this text.
          </p>
        )}
      </div>
    </li>
  );
}

function summaryOf({ ok, changes, diagnostics }: WriteOutcome, isApplied: boolean): string {
  if (!ok) return `Rejected: ${formatNoun(diagnostics.length, 'error')}`;
  if (changes.length === 0) return 'Accepted, nothing would change';
  return isApplied
    ? `Applied ${formatNoun(changes.length, 'change')}`
    : `Accepted: ${formatNoun(changes.length, 'change')}`;
}

/** Members of the metadata that only the API server sets. */
const SERVER_SET = /^ {2}(?:creationTimestamp|generation|resourceVersion): /;

/** Returns the YAML without what a user cannot change: the status, and members of the metadata. */
function editableText(yaml: string): string {
  let member = '';
  const kept = yaml.split('\n').filter((line) => {
    if (/^\S/.test(line)) member = line;
    return member !== 'status:' && !(member === 'metadata:' && SERVER_SET.test(line));
  });
  return `${kept.join('\n').trimEnd()}\n`;
}

/** The start of an object of the first reconciled kind. */
function newObject(): string {
  const { kinds = [], controllers = [] } = hello.value ?? {};
  const kind = kinds.find(({ id }) => id === controllers[0]?.kind);
  if (!kind) return 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: example\n  namespace: default\n';
  const apiVersion = kind.group ? `${kind.group}/${kind.version}` : kind.version;
  const namespace = kind.isNamespaced ? '  namespace: default\n' : '';
  return `apiVersion: ${apiVersion}\nkind: ${kind.kind}\nmetadata:\n  name: example\n${namespace}spec: {}\n`;
}
