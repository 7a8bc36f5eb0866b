import { isIP } from 'node:net';

const ATEXT = String.raw`[^\u0000- \u007f()<>[\]:;@\\,".]`;
const VISIBLE = String.raw`[!-~\u0080-\u{10ffff}]`;
const QUOTED = String.raw`"((?:(?![\\"])${VISIBLE}|[ \t]|\\(?:${VISIBLE}|[ \t]))*)"`;

const SPACE = /^[ \t]*/;
const DOT_ATOM = new RegExp(`^${ATEXT}+(?:\\.${ATEXT}+)*(?!${ATEXT}|\\.)`, 'u');
const LOOSE_ATOM = new RegExp(`^(?:${ATEXT}|\\.)+`, 'u');
const QUOTED_STRING = new RegExp(`^${QUOTED}`, 'u');
const DOMAIN_LITERAL = new RegExp(String.raw`^\[((?:(?![[\]\\])${VISIBLE})*)\]`, 'u');

/**
 * Reports whether a string is a single RFC 5322 address for Go's mail.ParseAddress, which allows names, comments and
 * groups.
 */
export function isEmail(text: string): boolean {
  const after = afterAddress(text.replace(SPACE, ''));
  return after !== undefined && afterComments(after) === '';
}

/** Returns the text after a prefix that matches the pattern. */
function after(pattern: RegExp, text: string): string | undefined {
  const match = pattern.exec(text);
  return match ? text.slice(match[0].length) : undefined;
}

function afterAddress(text: string): string | undefined {
  const bare = afterSpec(text);
  if (bare !== undefined) {
    const rest = bare.replace(SPACE, '');
    return rest.startsWith('(') ? afterComment(rest.slice(1)) : rest;
  }
  const rest = (text.startsWith('<') ? text : afterPhrase(text))?.replace(SPACE, '');
  if (rest?.startsWith(':')) return afterGroup(rest.slice(1));
  return rest?.startsWith('<') ? after(/^>/, afterSpec(rest.slice(1)) ?? '') : undefined;
}

/** Parses a group of one address. */
function afterGroup(text: string): string | undefined {
  const rest = afterAddress(text.replace(SPACE, ''));
  return rest === undefined ? undefined : after(/^;/, afterComments(rest) ?? '');
}

function afterSpec(text: string): string | undefined {
  const domain = after(/^@[ \t]*/, afterLocalPart(text.replace(SPACE, '')) ?? '');
  if (domain === undefined) return undefined;
  const [, address] = DOMAIN_LITERAL.exec(domain) ?? [];
  if (address === undefined) return after(DOT_ATOM, domain);
  return isIP(address) && !address.includes('%') ? after(DOMAIN_LITERAL, domain) : undefined;
}

function afterLocalPart(text: string): string | undefined {
  const [, quoted = ''] = QUOTED_STRING.exec(text) ?? [];
  return after(quoted === '' ? DOT_ATOM : QUOTED_STRING, text);
}

function afterPhrase(text: string): string | undefined {
  let rest = afterWord(text);
  for (let next = rest; next !== undefined; next = afterWord(afterComments(rest) ?? '')) rest = next;
  return rest === undefined ? undefined : afterComments(rest);
}

function afterWord(text: string): string | undefined {
  const start = text.replace(SPACE, '');
  return after(start.startsWith('"') ? QUOTED_STRING : LOOSE_ATOM, start);
}

/** Returns undefined when a comment is not terminated. */
function afterComments(text: string): string | undefined {
  let rest: string | undefined = text.replace(SPACE, '');
  while (rest?.startsWith('(')) rest = afterComment(rest.slice(1))?.replace(SPACE, '');
  return rest;
}

/** Returns the text after the end of a comment; comments can be nested. */
function afterComment(text: string): string | undefined {
  let depth = 1;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '(') depth++;
    else if (text[index] === ')' && --depth === 0) return text.slice(index + 1);
  }
  return undefined;
}
