// Operations of posts, pages, tags, users, site, config and settings.
import { POST_REQUEST_BYTES_MAX } from '../../../base/limits.ts';
import { postsBulkInput } from '../input/post-bulk-input.ts';
import { bodyInput, postCreateInput, postEditInput } from '../input/post-input.ts';
import { previewLinkInput } from '../input/preview-link-input.ts';
import { settingElement } from '../input/settings-input.ts';
import { tagCreateInput, tagEditInput } from '../input/tag-input.ts';
import {
  all,
  created,
  FREE,
  LIST_QUERY,
  listed,
  NOTHING,
  type Operations,
  object,
  single,
} from './operation.ts';
import type { QueryName } from './query-parameters.ts';

const FORMATS: readonly QueryName[] = ['include', 'fields', 'formats'];
const SAVE: readonly QueryName[] = ['source', 'formats'];
const SETTINGS_MAX = 100;

const posts = (root: 'posts' | 'pages', record: 'Post' | 'Page') => {
  const noun = record.toLowerCase();
  const create = { title: 'A title', html: '<p>Text</p>', tags: ['News'], status: 'draft' };
  const edit = { updated_at: '2026-01-31T10:00:00.000Z', status: 'published' };
  const body = { bytesMax: POST_REQUEST_BYTES_MAX };
  return {
    'GET /': {
      summary: `Lists ${root} of any status.`,
      query: [...LIST_QUERY, 'include', 'formats'],
      answer: listed(record),
    },
    'POST /': {
      summary: `Creates a ${noun}; html is read with source=html. 422 when mail is asked for.`,
      query: SAVE,
      body: { ...body, schema: postCreateInput, example: create },
      answer: single(record, 201),
    },
    'GET /{id}/': { summary: `Reads a ${noun}.`, query: FORMATS, answer: single(record) },
    'GET /{id}/preview/': {
      action: `preview ${noun}`,
      summary: `Renders the page of a ${noun} of any status; html is null where no pages are made.`,
      answer: object('Preview', 'preview'),
    },
    'POST /{id}/preview/': {
      action: `link preview of ${noun}`,
      summary: `Makes a link, which ends after some hours, to the preview of a ${noun} of any status.`,
      body: {
        root: 'preview',
        holds: 'object',
        schema: previewLinkInput,
        example: { hours: 1, ungated: false },
      },
      answer: { ...object('PreviewLink', 'preview'), status: 201 },
      changes: 'ours',
    },
    'GET /{id}/revisions/': {
      action: `list revisions of ${noun}`,
      summary: `What of a ${noun} was saved before, the newest first, without bodies.`,
      answer: { ...all('ListedRevision'), root: 'revisions' },
    },
    'POST /{id}/copy/': {
      action: `copy ${noun}`,
      summary: `Copies a ${noun} as a draft.`,
      query: ['formats'],
      answer: single(record, 201),
    },
    'GET /slug/{slug}/': {
      summary: `Reads a ${noun} by its slug.`,
      query: FORMATS,
      answer: single(record),
    },
    'PUT /{id}/': {
      summary: `Edits, publishes, schedules or unpublishes a ${noun}; 409 when it was changed meanwhile.`,
      query: [...SAVE, 'autosave', 'save_revision'],
      body: { ...body, schema: postEditInput, example: edit },
      answer: single(record),
    },
    'DELETE /{id}/': { summary: `Deletes a ${noun}.`, answer: NOTHING },
    'PUT /bulk/': {
      action: `edit ${root}`,
      summary: `Edits the ${root} that a filter chooses.`,
      query: ['filter'],
      body: {
        root: 'bulk',
        holds: 'object',
        schema: postsBulkInput,
        example: { action: 'addTag', meta: { tags: [{ name: 'News' }] } },
      },
      answer: object('BulkEdit', 'bulk'),
    },
    'DELETE /': {
      action: `delete ${root}`,
      summary: `Deletes the ${root} that a filter chooses.`,
      query: ['filter'],
      answer: object('PostsDelete', 'bulk'),
    },
  } satisfies Operations;
};

const TAGS = {
  'GET /': {
    summary: 'Lists tags, internal ones too.',
    query: [...LIST_QUERY, 'include'],
    answer: listed('Tag'),
  },
  'POST /': {
    summary: 'Creates a tag; a name that begins with # makes it internal.',
    body: { schema: tagCreateInput, example: { name: 'News' } },
    answer: created('Tag'),
  },
  'GET /{id}/': { summary: 'Reads a tag.', query: ['include', 'fields'], answer: single('Tag') },
  'GET /slug/{slug}/': {
    summary: 'Reads a tag by its slug.',
    query: ['include', 'fields'],
    answer: single('Tag'),
  },
  'PUT /{id}/': {
    summary: 'Edits a tag.',
    body: { schema: tagEditInput, example: { description: 'What is new' } },
    answer: single('Tag'),
  },
  'DELETE /{id}/': { summary: 'Deletes a tag.', answer: NOTHING },
} satisfies Operations;

const userRow = {
  summary: 'Reads a user.',
  query: ['include', 'fields'],
  answer: single('User'),
} as const;

const USERS = {
  'GET /': { summary: 'Lists users.', query: [...LIST_QUERY, 'include'], answer: listed('User') },
  'GET /me/': { ...userRow, summary: 'Reads the owner, in whose name keys write.' },
  'GET /{id}/': userRow,
  'GET /slug/{slug}/': userRow,
  'GET /email/{email}/': userRow,
} satisfies Operations;

const SETTINGS = {
  'GET /': { summary: 'The settings of the publication.', answer: all('Setting') },
  'PUT /': {
    action: 'save settings',
    summary: 'Writes settings, all of them or none.',
    body: {
      holds: SETTINGS_MAX,
      schema: settingElement,
      example: { key: 'title', value: 'The Site' },
    },
    answer: all('Setting'),
  },
} satisfies Operations;

export const PUBLISHING_OPERATIONS = {
  posts: posts('posts', 'Post'),
  pages: posts('pages', 'Page'),
  tags: TAGS,
  users: USERS,
  site: {
    'GET /': {
      action: 'read site',
      summary:
        'Title, address and appearance of the site. It needs no key; a wrong one is refused.',
      keys: 'none',
      answer: object('Site'),
    },
  },
  config: {
    'GET /': {
      tag: 'site',
      action: 'read config',
      summary: 'What this server runs with.',
      answer: object('Config'),
    },
  },
  settings: SETTINGS,
  bodies: {
    'POST /': {
      tag: 'posts',
      action: 'convert body',
      summary: 'Shows a body as html and as an editor document, without saving it.',
      body: {
        ...{ schema: bodyInput, bytesMax: POST_REQUEST_BYTES_MAX },
        example: { html: '<p>Text</p>' },
      },
      answer: single('Body'),
      changes: 'ours',
    },
  },
  revisions: {
    'GET /{id}/': {
      tag: 'posts',
      action: 'read revision',
      summary: 'Reads a revision of a post or page with its body.',
      answer: single('Revision'),
    },
  },
  oembed: {
    'GET /': {
      tag: 'posts',
      action: 'read embed',
      summary: 'What an address elsewhere shows in a card: an embed, else a bookmark.',
      query: ['url', 'type'],
      answer: FREE,
    },
  },
} satisfies Readonly<Record<string, Operations>>;
