// A Ghost that is read through its content interface, with a content key: for sites whose database nobody can reach. What
// the interface does not show is not known here, which the import names.

import { PrepressError } from '../../../base/errors.ts';
import { trimEndOf } from '../../../base/text/trim-of.ts';
import type { Source, SourceState } from '../source.ts';
import { parseGhostAddress } from './address.ts';
import { type ClientOptions, createContentClient } from './content-client.ts';
import { readSettings } from './responses.ts';
import { openState } from './state.ts';

/** What such a source cannot know, a sentence each. */
const UNKNOWN = [
  'A content address shows what is published: drafts, scheduled posts, members, newsletters, offers and mail settings were not read, nor whether the site is private.',
  'Bodies were read up to the paywall and without blocks for members, so reading times count only that part; what the publication already had of the rest was kept.',
];

type AddressOptions = ClientOptions & {
  /** Content key, where the address has none. */
  readonly key?: string | undefined;
};

/** Throws USAGE. Nothing is asked before `open`. */
export const openGhostAddress = (text: string, options: AddressOptions = {}): Source => {
  const address = parseGhostAddress(text, options.key);
  const client = createContentClient(address, options);
  let state: SourceState | null = null;
  return {
    name: address.name,
    fingerprint: async () => null,
    unknown: UNKNOWN,
    open: async () => {
      const { values, version } = await readSettings(client);
      const siteUrl = typeof values.url === 'string' ? trimEndOf(values.url, '/') : '';
      if (version === null || !URL.canParse(siteUrl)) {
        const sentence = `${address.name} does not say which Ghost it is, or what its address is.`;
        throw new PrepressError('SOURCE_NOT_GHOST', sentence);
      }
      const major = Number(version.split('.')[0]);
      if (major !== 5 && major !== 6) {
        const sentence = `${address.name} is a Ghost ${version}; versions 5 and 6 can be read.`;
        throw new PrepressError('SOURCE_VERSION', sentence);
      }
      state = await openState({ client, siteUrl, version: `${version}.0` });
      return state;
    },
    close: async () => {
      await state?.close();
      await client.close();
    },
  };
};
