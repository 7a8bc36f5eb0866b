/** An image as kustomize takes it apart. */
export interface ImageParts {
  readonly newName: string;
  readonly newTag?: string;
  readonly digest?: string;
}

/** Takes apart `registry:5000/name:tag` and `name@sha256:…`; a tag that is not given is `latest`. */
export function imageParts(image: string): ImageParts {
  const [name = '', digest] = image.split('@');
  if (digest !== undefined) return { newName: name, digest };
  const [, newName = name, newTag = 'latest'] = /^(.+?)(?::([^:/]+))?$/.exec(name) ?? [];
  return { newName, newTag };
}
