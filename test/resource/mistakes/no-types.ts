import { field, kindWithSpec } from './classes.js';

/** As esbuild and tsx compile it. */
class Spec {
  size = 0;
  names: string[] = [];
  image = '';
}
field(Spec, 'size');
field(Spec, 'names', { items: String });
field(Spec, 'image', { type: String });

export const classes = [kindWithSpec(Spec)];
