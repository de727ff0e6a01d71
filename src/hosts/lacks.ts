// Sentences about what a host cannot do and what to use instead, where several hosts share them.
import type { StoredName } from './host.ts';

export const NO_KEY_CHECK =
  'The content key is not checked: use cloudflare or cloudfront with --content-keys, or the companion server.';

export const NO_NORMAL_FORMS =
  'A slug is found in the spelling that it is stored in (Unicode NFC), as clients send it.';

/** Records whose slugs the host's rules cannot hold. */
export const lostNames = (
  names: readonly StoredName[],
  isReachable: (name: StoredName) => boolean,
): string[] => {
  const lost = names.filter((name) => !isReachable(name)).length;
  return lost === 0
    ? []
    : [
        `${lost} records cannot be asked for by slug, which holds what rules cannot: use their ids.`,
      ];
};
