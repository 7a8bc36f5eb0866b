/** Appends a text to the message of an error, and to the message within its stack, unless the message ends with it. */
export function appendToMessage(error: Error, text: string): void {
  const { message, stack } = error;
  if (message.endsWith(text)) return;
  error.message = message + text;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}
