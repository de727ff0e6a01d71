// What the page at /desk/ may load, run and show.

/**
 * Pictures of posts may stand anywhere. `blob:` shows a file before it is uploaded. What is pasted says by styles of its
 * elements what is bold, and a parser reads only those that the policy allows; the desk shows none that fetches. Style
 * elements of the editor's own code carry the nonce, which the answer of a file lacks. Frames are embeds of posts. The
 * editor reads pictures that are pasted within html (`data:`), which asks nobody.
 */
export const deskPolicy = (nonce: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `style-src-elem 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob: https: http:",
    "connect-src 'self' data:",
    'frame-src https:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
