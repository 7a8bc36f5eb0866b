import type { ComponentChildren } from 'preact';

interface TablePanelProps {
  /** Unique in the document. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly string[];
  /** Number of columns at the end that hold numbers. */
  readonly numbers?: number;
  /** Rows of the body. */
  readonly children: ComponentChildren;
}

/** A titled table, which scrolls sideways on a narrow screen. */
export function TablePanel({ id, title, note, columns, numbers = 0, children }: TablePanelProps) {
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span class="muted">{note}</span>}
      </header>
      <div class="scroll" tabIndex={0} role="group" aria-label={`${title}, scrollable`}>
        <table>
          <thead>
            <tr>
              {columns.map((name, index) => (
                <th key={name} scope="col" class={index >= columns.length - numbers ? 'number' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}
