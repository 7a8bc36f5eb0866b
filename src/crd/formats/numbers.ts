const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Reports whether the digits of a string are a valid credit card number (Luhn). */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, '');
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return CREDIT_CARD.test(digits) && sum % 10 === 0;
}

export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return /^[0-9]{9}[0-9X]$/.test(digits) && sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  const sum = Array.from(digits).reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return /^[0-9]{13}$/.test(digits) && sum % 10 === 0;
}

function withoutSeparators(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]+/g, '');
}
