/** The first cell of the table of flags. */
const HEADER = 'option';

/** A code span in a description: a flag, a placeholder, a decorator, a variable, a path or a file. */
const CODE =
  /<[a-z:-]+>(?:-[a-z-]+)*|--[a-z-]+|@\w+(?:\(\{ \w+ \}\))?|\$?\b[A-Z]+(?:_[A-Z…]+)+(?:=\w+)?|\$[A-Z]+|~?\/[a-z/.]+|tls\.\w+|\w+\.\w+=\d+|leaderElect: true/g;

/** The rows of the options in the help of a command, as a table in Markdown. */
export function flagTable(help: string): string {
  const [, options = ''] = /^Options:\n([^]*?)\n\n/m.exec(help) ?? [];
  const lines = [...options.matchAll(/^ {2}(-.*?) {2,}(.*)$/gm)];
  const rows = lines.filter(([, flags]) => !/--(version|help)$/.test(flags ?? '')).map(([, ...cells]) => row(...cells));
  return [`| ${HEADER} | default | effect |`, '| --- | --- | --- |', ...rows].join('\n');
}

function row(flags = '', text = ''): string {
  const [, description = '', choices = '', value] =
    /^(.*?) ?(?:\((choices: .*?)?(?:(?:, )?default: (.*))?\))?$/.exec(text) ?? [];
  const effect = [description, choices].filter((part) => part !== '').join('; ');
  const unset = flags.includes('<') ? '' : 'off';
  return `| \`${flags}\` | ${asCode(value ?? unset)} | ${asCode(effect)} |`;
}

/** The text of a page whose table of flags in a section is replaced. */
export function withFlagTable(page: string, section: string, table: string): string {
  const start = page.indexOf(`| ${HEADER} `, page.indexOf(`\n## ${section}\n`));
  const end = page.indexOf('\n\n', start);
  return page.slice(0, start) + table + page.slice(end);
}

function asCode(text: string): string {
  if (/^"?[\d]+[a-z]*"?$/.test(text)) return `\`${text.replaceAll('"', '')}\``;
  return text.replaceAll('"', '').replaceAll(CODE, '`$&`');
}
