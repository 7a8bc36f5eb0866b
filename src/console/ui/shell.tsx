import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announcement, announce } from './announcement.js';
import { formatDuration } from './format.js';
import { SHORTCUTS, isHelpOpen } from './keyboard.js';
import { Icon, type IconName } from './parts/icon.js';
import { lazy } from './parts/lazy.js';
import { Empty } from './parts/message.js';
import { hasSingleKeys, setSingleKeys } from './preferences.js';
import { hrefOf, route } from './router.js';
import { DoctorScreen } from './screens/doctor.js';
import { EditorScreen } from './screens/editor.js';
import { LogsScreen } from './screens/logs.js';
import { ObjectScreen } from './screens/object.js';
import { ObjectsScreen } from './screens/objects.js';
import { RunScreen } from './screens/run.js';
import { RuntimeScreen } from './screens/runtime.js';
import { TimelineScreen } from './screens/timeline.js';
import { TokenForm } from './token-form.js';
import { droppedChanges, findings, hello, localNow, stopReason } from './store.js';
import { connection } from './stream.js';

const MetricsScreen = lazy(async () => (await import('./screens/metrics.js')).MetricsScreen);

/** Screens by the first segment of their URL; with a second segment, the screen of one object or run. */
const SCREENS: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>([
  ['objects', ObjectsScreen],
  ['objects/', ObjectScreen],
  ['runs', TimelineScreen],
  ['runs/', RunScreen],
  ['runtime', RuntimeScreen],
  ['logs', LogsScreen],
  ['doctor', DoctorScreen],
  ['doctor/', DoctorScreen],
  ['metrics', MetricsScreen],
  ['edit', EditorScreen],
  ['edit/', EditorScreen],
]);

/** The frame of all screens: navigation, state of the connection, and the screen of the URL. */
export function Shell() {
  const { screen, id } = route.value;
  const Screen = SCREENS.get(id ? `${screen}/` : screen) ?? NoScreen;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${titleOf(screen)} – ${hello.value?.operator ?? 'kindwright'} console`;
    // The first screen leaves the focus at the start of the page.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [screen, id, hello.value?.operator]);
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Sidebar screen={screen} />
      <ConnectionBanner />
      <main ref={main} id="main" class="main" tabIndex={-1}>
        {connection.value.state === 'ended' && !hello.value ? <TokenForm /> : <Screen key={`${screen}/${id}`} />}
      </main>
      <Help />
      <div class="hidden-text" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </div>
  );
}

function NoScreen() {
  return (
    <Empty title="This URL is not a screen of the console">
      <a href={hrefOf('objects')}>Show the objects</a>
    </Empty>
  );
}

function titleOf(screen: string): string {
  return SHORTCUTS.find(([, , name]) => name === screen)?.[1] ?? 'Editor';
}

const ICONS: Readonly<Record<string, IconName>> = {
  objects: 'objects',
  runs: 'runs',
  runtime: 'runtime',
  logs: 'logs',
  doctor: 'doctor',
  metrics: 'metrics',
};

const LABELS = new Map([
  ['runs', 'Timeline'],
  ['runtime', 'Runtime'],
]);

function Sidebar({ screen }: { readonly screen: string }) {
  const count = findings.value?.length ?? 0;
  return (
    <header class="sidebar">
      <div class="brand">
        <strong>{hello.value?.operator ?? 'kindwright'}</strong>
        <span class="muted">{hello.value?.mode === 'read-only' ? 'read-only console' : 'console'}</span>
      </div>
      <nav class="nav" aria-label="Screens">
        {SHORTCUTS.map(([, title, name]) => (
          <a key={name} href={hrefOf(name)} aria-current={screen === name ? 'page' : undefined}>
            <Icon name={ICONS[name] ?? 'none'} />
            <span>{LABELS.get(name) ?? title}</span>
            {name === 'doctor' && count > 0 && (
              <span class="badge">
                {count}
                <span class="hidden-text"> findings</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <ConnectionStatus />
      <button type="button" class="plain help-button" onClick={() => (isHelpOpen.value = true)}>
        Keys <kbd>?</kbd>
      </button>
    </header>
  );
}

const CONNECTION_TEXTS = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost',
  paused: 'Paused while hidden',
  ended: 'Access denied',
};

function ConnectionStatus() {
  const { state } = connection.value;
  return (
    <p class="connection">
      <span class={`dot dot-${state}`} aria-hidden="true" />
      <span>
        {CONNECTION_TEXTS[state]}
        {droppedChanges.value > 0 && <>, {droppedChanges.value} changes skipped</>}
      </span>
    </p>
  );
}

function ConnectionBanner() {
  const { state, reason, retryAtMs } = connection.value;
  useEffect(() => {
    if (state === 'lost' || state === 'ended') announce(CONNECTION_TEXTS[state]);
  }, [state]);
  if (state === 'ended' && hello.value) {
    return (
      <p class="banner banner-ended" role="alert">
        <Icon name="warn" />
        <span>
          The operator does not accept the token any more: {reason}. It makes a new one at each start; open the URL that
          it has printed.
        </span>
      </p>
    );
  }
  if (state !== 'lost') return null;
  const waitMs = Math.max(0, (retryAtMs ?? 0) - localNow.value);
  return (
    <aside class="banner" aria-label="Connection">
      <Icon name="warn" />
      <span>
        {stopReason.value ? `The operator has stopped: ${stopReason.value}` : `Connection lost: ${reason ?? ''}`}. What
        is shown may be out of date. {waitMs > 0 ? `Next attempt in ${formatDuration(waitMs)}.` : 'Connecting …'}
      </span>
    </aside>
  );
}

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {SHORTCUTS.map(([key, title]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Filter</dd>
        </div>
        <div>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd> or arrows
          </dt>
          <dd>Move in a list or tree</dd>
        </div>
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>Open</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Back</dd>
        </div>
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
          }}
        />
        Letters are shortcuts
      </label>
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
