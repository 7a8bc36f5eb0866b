import { useRef, useState } from 'preact/hooks';
import type { ObjectTree, ObjectRow, TreeNode } from '../../wire.js';
import { objectWithUid } from '../store.js';
import { formatCount } from '../format.js';
import { hrefOf, navigate } from '../router.js';
import { Icon } from './icon.js';
import { kindName, objectName } from './references.js';
import { LevelState } from './state.js';

interface Line {
  readonly id: string;
  readonly level: number;
  readonly parent: string;
  readonly row?: ObjectRow;
  /** Instead of a row: children that are left out. */
  readonly text?: string;
  readonly isOpen?: boolean;
  readonly hasChildren: boolean;
}

/** The owners and dependents of an object as an indented tree, operated with the arrow keys. */
export function OwnerTree({ tree }: { readonly tree: ObjectTree }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState(tree.selected);
  const element = useRef<HTMLDivElement>(null);
  const lines = visibleLines(tree.root, closed);
  const current = lines.some(({ id }) => id === focused) ? focused : tree.root.row.uid;

  const toggle = (id: string, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    setFocused(id);
    element.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = lines.findIndex(({ id }) => id === current);
    const line = lines[index];
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS.get(event.key)?.(lines, index);
    if (!action) return;
    event.preventDefault();
    if (action.toggle !== undefined) toggle(line.id, action.toggle);
    if (action.open && line.row) navigate(hrefOf('objects', line.row.uid));
    focus(action.focus);
  };
  return (
    <div ref={element} class="tree" role="tree" aria-label="Owners and dependents" onKeyDown={onKeyDown}>
      {lines.map((line) => (
        <div
          key={line.id}
          data-id={line.id}
          class="tree-line"
          role="treeitem"
          tabIndex={line.id === current ? 0 : -1}
          aria-level={line.level}
          aria-selected={line.id === tree.selected}
          {...(line.hasChildren ? { 'aria-expanded': line.isOpen === true } : {})}
          style={{ paddingLeft: `${String(line.level * 18 - 12)}px` }}
          onFocus={() => {
            setFocused(line.id);
          }}
          onClick={() => {
            if (line.hasChildren) toggle(line.id, !line.isOpen);
          }}
        >
          <TreeLine line={line} />
        </div>
      ))}
    </div>
  );
}

function TreeLine({ line }: { readonly line: Line }) {
  const { row } = line;
  if (!row) return <span class="muted">{line.text}</span>;
  return (
    <>
      <span class="tree-toggle">{line.hasChildren && <Icon name={line.isOpen ? 'down' : 'right'} />}</span>
      <span class="muted">{kindName(row.kind)}</span>
      <a
        href={hrefOf('objects', row.uid)}
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation();
        }}
      >
        {objectName(row)}
      </a>
      <LevelState level={row.level} text={row.state} />
    </>
  );
}

function visibleLines(root: TreeNode, closed: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  const visit = (node: TreeNode, level: number, parent: string) => {
    const id = node.row.uid;
    const hasChildren = node.children.length + node.omitted.length > 0;
    const isOpen = !closed.has(id);
    lines.push({ id, level, parent, row: objectWithUid(id) ?? node.row, isOpen, hasChildren });
    if (!isOpen) return;
    for (const child of node.children) visit(child, level + 1, id);
    for (const { kind, count } of node.omitted) {
      const text = `… ${formatCount(count)} more of kind ${kindName(kind)}`;
      lines.push({ id: `${id} ${kind}`, level: level + 1, parent: id, text, hasChildren: false });
    }
  };
  visit(root, 1, '');
  return lines;
}

interface KeyAction {
  readonly focus?: string | undefined;
  readonly toggle?: boolean;
  readonly open?: true;
}

type KeyHandler = (lines: readonly Line[], index: number) => KeyAction;

const next: KeyHandler = (lines, index) => ({ focus: lines[index + 1]?.id });
const previous: KeyHandler = (lines, index) => ({ focus: lines[index - 1]?.id });

/** The keys of the tree pattern of the ARIA authoring practices, and j and k. */
const KEYS: ReadonlyMap<string, KeyHandler> = new Map<string, KeyHandler>([
  ['ArrowDown', next],
  ['j', next],
  ['ArrowUp', previous],
  ['k', previous],
  ['Home', (lines) => ({ focus: lines[0]?.id })],
  ['End', (lines) => ({ focus: lines.at(-1)?.id })],
  ['ArrowRight', (lines, index) => (isOpen(lines[index], false) ? { toggle: true } : next(lines, index))],
  ['ArrowLeft', (lines, index) => (isOpen(lines[index], true) ? { toggle: false } : { focus: lines[index]?.parent })],
  ['Enter', () => ({ open: true })],
]);

function isOpen(line: Line | undefined, expected: boolean): boolean {
  return line?.hasChildren === true && line.isOpen === expected;
}
