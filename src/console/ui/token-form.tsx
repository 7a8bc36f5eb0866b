import { useState } from 'preact/hooks';
import { storeToken } from './token.js';

/** Asks for the token when the page was opened without a valid one. */
export function TokenForm() {
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
