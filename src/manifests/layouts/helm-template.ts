import type { UnstructuredObject } from '../../api/kube-object.js';
import { stringifyYaml } from '../../base/yaml.js';

/**
 * Writes objects as templates of Helm.
 *
 * An object goes through YAML with marks where template text is to stand, so that indentation is YAML's own; what looks
 * like a template in it, such as a description with `{{`, is escaped.
 */
export class HelmTemplate {
  private readonly texts: string[] = [];

  /** A value to be computed: `{{ expression }}`. */
  value(expression: string): string {
    return this.mark(`{{ ${expression} }}`);
  }

  /** A member to be computed; the text is indented as the member would be. */
  member(text: string): Record<string, unknown> {
    return { [this.mark(text)]: '' };
  }

  /** An item of a list to be computed. */
  item(text: string): string {
    return this.mark(text);
  }

  write(object: UnstructuredObject, condition?: string): string {
    const yaml = stringifyYaml(object)
      .replaceAll('{{', '{{ "{{" }}')
      .replaceAll(/^( *)(?:- )?MARK-(\d+)-MARK(?:: '')?$/gm, (_, indent: string, index: string) =>
        this.textOf(index).replaceAll(/^(?=.)/gm, indent),
      )
      .replaceAll(/MARK-(\d+)-MARK/g, (_, index: string) => this.textOf(index));
    return condition === undefined ? `---\n${yaml}` : `{{- if ${condition} }}\n---\n${yaml}{{- end }}\n`;
  }

  private mark(text: string): string {
    return `MARK-${this.texts.push(text) - 1}-MARK`;
  }

  private textOf(index: string): string {
    return this.texts[Number(index)] ?? '';
  }
}
