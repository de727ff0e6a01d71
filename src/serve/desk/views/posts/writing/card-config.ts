// What the editor's cards ask of the desk: the publication's own addresses, and what stands at an address elsewhere. No
// card asks anybody but the admin interface; pictures of other services and moving pictures are off.
import type { Api } from '../../../api.ts';
import type { Site } from '../../../context.ts';
import { filterText } from '../../../ui/words.ts';

type Found = { readonly id: string; readonly title: string; readonly url: string };

/** `api`: the one of who is signed in now. */
export const cardConfig = (api: () => Api, site: Site | null): object => ({
  unsplash: null,
  siteTitle: site?.title ?? '',
  siteDescription: site?.description ?? '',
  siteUrl: site?.url ?? '',
  // Nobody signs up or gets mail by a card here: a stored one is shown, none is offered. Ghost offers none in pages.
  membersEnabled: false,
  post: { displayName: 'page' },
  deprecated: { headerV1: true, emailCta: true },
  stripeEnabled: true,
  visibilitySettings: 'web only',
  fetchEmbed: (url: string, { type }: { readonly type?: string }) =>
    api().get('/oembed/', { url, type }),
  fetchAutocompleteLinks: async () => [{ label: 'Homepage', value: site?.url ?? '' }],
  searchLinks: async (term?: string) => {
    // What is shown then is what was answered without one; a late answer would replace an address that was pasted since.
    if (term === '') return [];
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
