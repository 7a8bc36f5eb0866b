import type { Suggestion } from '../suggestions.js';

interface SuggestionListProps {
  readonly suggestions: readonly Suggestion[];
  readonly onChoose: (suggestion: Suggestion) => void;
  /** Called by the Escape key. */
  readonly onLeave: () => void;
}

export const SUGGESTIONS_ID = 'suggestions';

/** The fields and values that can be written at the cursor. The arrow keys move between them. */
export function SuggestionList({ suggestions, onChoose, onLeave }: SuggestionListProps) {
  if (suggestions.length === 0) return <p class="muted">The schema has no other fields here.</p>;
  return (
    <ul
      id={SUGGESTIONS_ID}
      class="suggestions"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
        else if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        else moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1);
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {suggestions.map((suggestion) => {
        const { label, type, about, isRequired } = suggestion;
        return (
          <li key={label}>
            <button type="button" onClick={() => onChoose(suggestion)}>
              <code>{label}</code> <span class="muted">{type}</span>
              {isRequired && <span> required</span>}
            </button>
            {about && <p class="muted">{about}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function moveFocus(list: HTMLElement, step: number): void {
  const buttons = [...list.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
