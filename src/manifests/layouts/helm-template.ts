import { randomHex } from '../../base/random.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';

/**
 * Writes objects as Helm templates.
 *
 * An object is converted to YAML with marks in place of template text, which keeps the indentation of YAML. Text that
 * looks like a template, such as a description with `{{`, is escaped.
 */
export class HelmTemplate {
  private readonly texts: string[] = [];
  /** Part of the marks, so that no text of an object equals a mark. */
  private readonly nonce = randomHex('placeholder', 8);
  /** Indexes of the texts that are values, and as items of a list have their own line. */
  private readonly values = new Set<number>();

  /** A template in place of a value: `{{ expression }}`. */
  value(expression: string): string {
    this.values.add(this.texts.length);
    return this.mark(`{{ ${expression} }}`);
  }

  /** A template in place of a member; its text is indented like the member. */
  member(text: string): Record<string, unknown> {
    return { [this.mark(text)]: '' };
  }

  /** A template in place of an item of a list. */
  item(text: string): string {
    return this.mark(text);
  }

  write(object: UnstructuredObject, condition?: string): string {
    const mark = `MARK-${this.nonce}-(\\d+)-MARK`;
    const yaml = stringifyYaml(object)
      .replaceAll('{{', '{{ "{{" }}')
      .replaceAll(new RegExp(`^( *- )${mark}$`, 'gm'), (line, start: string, index: string) =>
        this.values.has(Number(index)) ? `${start}${this.textOf(index)}` : line,
      )
      .replaceAll(new RegExp(`^( *)(?:- )?${mark}(?:: '')?$`, 'gm'), (_, indent: string, index: string) =>
        this.textOf(index).replaceAll(/^(?=.)/gm, indent),
      )
      .replaceAll(new RegExp(`(?<=[\\w./-])${mark}|${mark}(?=[\\w./-])`, 'g'), (_, after?: string, before?: string) =>
        this.textOf(after ?? before ?? '').replace(' | quote }}', ' }}'),
      ) // within a text
      .replaceAll(new RegExp(mark, 'g'), (_, index: string) => this.textOf(index));
    return condition === undefined ? `---\n${yaml}` : `{{- if ${condition} }}\n---\n${yaml}{{- end }}\n`;
  }

  private mark(text: string): string {
    return `MARK-${this.nonce}-${this.texts.push(text) - 1}-MARK`;
  }

  private textOf(index: string): string {
    return this.texts[Number(index)] ?? '';
  }
}
