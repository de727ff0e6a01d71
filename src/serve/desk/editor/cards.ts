// What the editor's cards ask of the desk: the publication's own addresses, and what stands at an address elsewhere. No
// card asks anybody but the admin interface; pictures of other services and moving pictures are off.
import type { Api } from '../api.ts';
import type { Site } from '../context.ts';
import { filterText } from '../ui/words.ts';

type Found = { readonly id: string; readonly title: string; readonly url: string };

/** `api`: the one of who is signed in now. */
export const cardConfig = (api: () => Api, site: Site | null): object => ({
  unsplash: null,
  siteTitle: site?.title ?? '',
  siteDescription: site?.description ?? '',
  siteUrl: site?.url ?? '',
  // Nobody can sign up by a card of a post here.
  membersEnabled: false,
  stripeEnabled: true,
  visibilitySettings: 'web only',
  deprecated: { headerV1: true, emailCta: true },
  feature: {},
  post: { displayName: 'post' },
  fetchEmbed: (url: string, { type }: { readonly type?: string }) =>
    api().get('/oembed/', { url, type }),
  fetchAutocompleteLinks: async () => [{ label: 'Homepage', value: site?.url ?? '' }],
  searchLinks: async (term?: string) => {
    const title = term?.trim() ? `+title:~${filterText(term.trim())}` : '';
    const query = { limit: 5, fields: 'id,title,url', filter: `status:published${title}` };
    const groups = [
      ['posts', 'Posts'],
      ['pages', 'Pages'],
    ] as const;
    const found = await Promise.all(
      groups.map(async ([key, label]) => {
        const records = (await api().get<Record<string, Found[]>>(`/${key}/`, query))[key] ?? [];
        return { label, key, items: records.map((one) => ({ ...one, groupName: label })) };
      }),
    );
    return found.filter(({ items }) => items.length > 0);
  },
});
