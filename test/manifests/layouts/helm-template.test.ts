import { expect, test } from '@jest/globals';
import { HelmTemplate } from '../../../src/manifests/layouts/helm-template.js';

const object = (rest: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...rest });

test('template syntax in an object is escaped', () => {
  expect(new HelmTemplate().write(object({ data: { a: 'x {{ .Values.b }} y' } }))).toContain(
    'a: x {{ "{{" }} .Values.b }} y\n',
  );
});

test('a text that looks like a mark is kept', () => {
  const template = new HelmTemplate();
  const text = template.write(object({ data: { a: template.value('.Values.a'), b: 'MARK-0-MARK' } }));
  expect(text).toContain('data:\n  a: {{ .Values.a }}\n  b: MARK-0-MARK\n');
});

test('values, members and items are rendered at their place in the object, with its indentation', () => {
  const template = new HelmTemplate();
  const text = template.write(
    object({
      data: { a: template.value('.Values.a'), ...template.member('{{- if .b }}\nb: 1\n{{- end }}') },
      list: ['x', template.item('{{- if .c }}\n- y\n{{- end }}')],
    }),
  );
  expect(text).toContain('data:\n  a: {{ .Values.a }}\n  {{- if .b }}\n  b: 1\n  {{- end }}\n');
  expect(text).toContain('list:\n  - x\n  {{- if .c }}\n  - y\n  {{- end }}\n');
});

test('an object with a condition is not rendered without it', () => {
  expect(new HelmTemplate().write(object({}), '.Values.a')).toMatch(/^{{- if .Values.a }}\n---\n[^]*{{- end }}\n$/);
});
