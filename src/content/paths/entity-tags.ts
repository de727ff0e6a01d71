// Tags of bodies, which clients send back to be told that nothing changed. Runtime-neutral, and written so that the
// oldest of the edge runtimes can run it.

const TAG_CHARACTERS = 27;

/** The tag of a body, from its SHA-256 in base64url. */
export const entityTag = (sha256: string): string => `"${sha256.slice(0, TAG_CHARACTERS)}"`;

/** `If-None-Match` names the tag; the comparison is weak, as HTTP has it for this header. */
export const knowsTag = (ifNoneMatch: string | null | undefined, etag: string): boolean => {
  const tags = (ifNoneMatch || '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.indexOf(etag) !== -1 || (tags.length === 1 && tags[0] === '*');
};
