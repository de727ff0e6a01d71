// The parameters that operations take in their query.

type Parameter = { readonly description: string; readonly example: string };

export const QUERY = {
  limit: {
    description: 'Records on a page, 1 to 100; "all" is 100. 15 unless given.',
    example: '15',
  },
  page: { description: 'Number of the page.', example: '1' },
  order: { description: 'Fields with their directions.', example: 'created_at desc' },
  filter: {
    description: "Ghost's filter language (NQL). A date without a time zone is in UTC.",
    example: 'slug:-[one,two]',
  },
  search: { description: 'Part of a name or an e-mail address.', example: 'ada' },
  all: { description: 'true: all of them, when nothing narrows them down.', example: 'true' },
  include: { description: 'Related data to add, comma-separated.', example: 'newsletters,tiers' },
  fields: { description: 'Only these fields, comma-separated.', example: 'id,slug' },
  formats: {
    description: 'Forms of the body: html, plaintext, lexical, mobiledoc.',
    example: 'html',
  },
  source: {
    description:
      'html: the html of the payload is the body, kept as it is; a Lexical document is made of it for editors. Without it html is ignored.',
    example: 'html',
  },
  autosave: {
    description:
      '1: no event is made of this save of a draft, until one without it or with save_revision.',
    example: '1',
  },
  save_revision: {
    description: '1: ends a sitting of autosaves, which one event tells.',
    example: '1',
  },
  webhook_id: { description: 'Only those of this webhook.', example: '6b00f97e69263f2f531b8a00' },
  failed: { description: 'true: only those whose newest attempt failed.', example: 'true' },
  token: { description: 'The token of the mail.', example: 'the-token-of-the-mail' },
  uuid: { description: 'Whose address it is.', example: '1eb47fd7-d94d-4b50-bb95-f1160464e8fd' },
  key: { description: 'What proves that the address was mailed.', example: '0123456789abcdef' },
  url: { description: 'An address elsewhere.', example: 'https://example.org/a-page/' },
  type: { description: 'bookmark: nothing but a bookmark; embed: none.', example: 'bookmark' },
} as const satisfies Readonly<Record<string, Parameter>>;

export type QueryName = keyof typeof QUERY;
