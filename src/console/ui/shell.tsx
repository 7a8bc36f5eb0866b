import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announcement, announce } from './announcement.js';
import { displayDuration } from './format.js';
import { Help } from './help.js';
import { SHORTCUTS, isHelpOpen } from './keyboard.js';
import { Icon, type IconName } from './parts/icon.js';
import { lazy } from './parts/lazy.js';
import { Empty } from './parts/message.js';
import { hrefOf, route } from './router.js';
import { DoctorScreen } from './screens/doctor.js';
import { EditorScreen } from './screens/editor.js';
import { LogsScreen } from './screens/logs.js';
import { ObjectScreen } from './screens/object.js';
import { ObjectsScreen } from './screens/objects.js';
import { RunScreen } from './screens/run.js';
import { RuntimeScreen } from './screens/runtime.js';
import { TimelineScreen } from './screens/timeline.js';
import { droppedChanges, findings, hello, localNow, stopReason } from './store.js';
import { connection } from './stream.js';
import { storeToken } from './token.js';

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
  }, [screen, hello.value?.operator]);
  useEffect(() => {
    // The first screen leaves the focus at the start of the page.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [screen, id]);
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
        is shown may be out of date. {waitMs > 0 ? `Next attempt in ${displayDuration(waitMs)}.` : 'Connecting …'}
      </span>
    </aside>
  );
}

/** Asks for the token when the page was opened without a valid one. */
function TokenForm() {
  const [text, setText] = useState('');
  return (
    <form
      class="token-form"
      onSubmit={(event) => {
        event.preventDefault();
        // The whole URL is as good.
        storeToken(/t=([^&]+)/.exec(text)?.[1] ?? text.trim());
        location.reload();
      }}
    >
      <h1>Access denied</h1>
      <p>
        The console needs the token of this start of the operator. Open the URL that the operator has printed, or enter
        that URL or its token here.
      </p>
      <label>
        URL or token
        <input
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={text === ''}>
        Open the console
      </button>
    </form>
  );
}
