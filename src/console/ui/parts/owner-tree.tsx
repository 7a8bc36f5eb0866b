import { useRef, useState } from 'preact/hooks';
import type { ObjectTree, ObjectRow, TreeNode } from '../../wire.js';
import { objectOf, objectsVersion } from '../store.js';
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
  void objectsVersion.value; // states in the tree are those of the list
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
    const action = keyAction(event.key, lines, index);
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
    lines.push({ id, level, parent, row: objectOf(id) ?? node.row, isOpen, hasChildren });
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

/** The keys of the tree pattern of the ARIA authoring practices, and j and k. */
function keyAction(key: string, lines: readonly Line[], index: number): KeyAction | undefined {
  const line = lines[index];
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { focus: lines[index + 1]?.id };
    case 'ArrowUp':
    case 'k':
      return { focus: lines[index - 1]?.id };
    case 'Home':
      return { focus: lines[0]?.id };
    case 'End':
      return { focus: lines.at(-1)?.id };
    case 'ArrowRight':
      return line?.hasChildren && !line.isOpen ? { toggle: true } : { focus: lines[index + 1]?.id };
    case 'ArrowLeft':
      return line?.hasChildren && line.isOpen ? { toggle: false } : { focus: line?.parent };
    case 'Enter':
      return { open: true };
    default:
      return undefined;
  }
}
