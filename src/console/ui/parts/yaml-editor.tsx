import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import type { WriteDiagnostic } from '../../wire.js';

interface YamlEditorProps {
  /** The text when the editor is opened or reset. */
  readonly initial: string;
  readonly diagnostics: readonly WriteDiagnostic[];
  readonly onChange: (text: string) => void;
  /** Called with the offset of the cursor in the text. */
  readonly onCursor: (offset: number, text: string) => void;
  /** Called by Ctrl-Space. */
  readonly onComplete: () => void;
  /** Gets the functions that change the text. */
  readonly handle: { current: EditorHandle | undefined };
}

export interface EditorHandle {
  /** Replaces the text from an offset to the cursor, and gives the editor the focus. */
  insert(from: number, text: string): void;
  focus(): void;
}

/**
 * A text editor for YAML. Its styles are in a shadow root, where they are adopted style sheets, which the content security
 * policy of the page allows. The Tab key leaves the editor.
 */
export function YamlEditor(props: YamlEditorProps) {
  const { initial, diagnostics, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | undefined>(undefined);
  const present = useRef(props);
  present.current = props;
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const onUpdate = EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      const text = state.doc.toString();
      if (docChanged) present.current.onChange(text);
      if (docChanged || selectionSet) present.current.onCursor(state.selection.main.head, text);
    });
    const onComplete = keymap.of([
      {
        key: 'Ctrl-Space',
        run: () => {
          present.current.onComplete();
          return true;
        },
      },
    ]);
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: initial, extensions: [onComplete, ...EXTENSIONS, onUpdate] }),
    });
    editor.current = view;
    handle.current = {
      insert: (from, text) => {
        const { head } = view.state.selection.main;
        view.dispatch({ changes: { from, to: head, insert: text }, selection: { anchor: from + text.length } });
        view.focus();
      },
      focus: () => {
        view.focus();
      },
    };
    return () => {
      view.destroy();
      editor.current = undefined;
      handle.current = undefined;
    };
  }, [initial]);
  useEffect(() => {
    const view = editor.current;
    if (view) view.dispatch(setDiagnostics(view.state, placed(view.state, diagnostics)));
  }, [diagnostics, initial]);
  return <div ref={host} class="editor" />;
}

/** Places the diagnostics that name a line. */
function placed(state: EditorState, diagnostics: readonly WriteDiagnostic[]): Diagnostic[] {
  return diagnostics.flatMap(({ line, level, message, path }) => {
    if (line === undefined || line < 1 || line > state.doc.lines) return [];
    const { from, to } = state.doc.line(line);
    return [{ from, to, severity: level, message: path ? `${path}: ${message}` : message }];
  });
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.atom, tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--warn)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.meta, color: 'var(--muted)' },
]);

const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--panel)', height: '100%', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' }, // the panel has it
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--raised)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
});

const EXTENSIONS = [
  lineNumbers(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  lintGutter(),
  StreamLanguage.define(yaml),
  syntaxHighlighting(COLOURS),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'YAML of the object; Tab leaves the editor, Ctrl-Space goes to the fields',
  }),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  THEME,
];
