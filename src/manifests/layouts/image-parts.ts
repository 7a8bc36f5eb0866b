/** The parts of an image, named as in kustomize. */
export interface ImageParts {
  readonly newName: string;
  readonly newTag?: string;
  readonly digest?: string;
}

/** Parses `registry:5000/name:tag` and `name@sha256:…`; the tag defaults to `latest`. */
export function imageParts(image: string): ImageParts {
  const [name = '', digest] = image.split('@');
  if (digest !== undefined) return { newName: name, digest };
  const [, newName = name, newTag = 'latest'] = /^(.+?)(?::([^:/]+))?$/.exec(name) ?? [];
  return { newName, newTag };
}
