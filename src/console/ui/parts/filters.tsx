import { route, setParameters } from '../router.js';
import { Icon } from './icon.js';

/** A text that is kept as a parameter of the URL. */
export function FilterInput({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label class="search">
      <span class="hidden-text">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder={label}
        value={route.value.parameters.get(name) ?? ''}
        onInput={(event) => {
          setParameters({ [name]: event.currentTarget.value });
        }}
      />
    </label>
  );
}

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  /** Values with their texts; the empty value is the default. */
  readonly options: readonly (readonly [string, string])[];
}

/** A choice that is kept as a parameter of the URL. */
export function FilterSelect({ name, label, options }: FilterSelectProps) {
  return (
    <label>
      <span class="hidden-text">{label}</span>
      <select
        value={route.value.parameters.get(name) ?? ''}
        onChange={(event) => {
          setParameters({ [name]: event.currentTarget.value });
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
