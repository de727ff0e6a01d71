// Operations of posts, pages, tags, users, site, config and settings.
import * as z from 'zod';
import { postsBulkInput } from '../input/post-bulk-input.ts';
import { postCreateInput, postEditInput } from '../input/post-input.ts';
import { settingElement } from '../input/settings-input.ts';
import { tagCreateInput, tagEditInput } from '../input/tag-input.ts';
import {
  LIST_QUERY,
  listed,
  NOTHING,
  type Operation,
  type QueryName,
  single,
} from './operation.ts';

const FORMATS: readonly QueryName[] = ['include', 'fields', 'formats'];
const SAVE: readonly QueryName[] = ['source', 'formats'];

const posts = (root: 'posts' | 'pages', record: 'Post' | 'Page'): Operation[] => {
  const noun = record.toLowerCase();
  const base = { tag: root };
  const answer = single({ root, record });
  const create = { title: 'A title', html: '<p>Text</p>', tags: ['News'], status: 'draft' };
  const edit = { updated_at: '2026-01-31T10:00:00.000Z', status: 'published' };
  return [
    {
      ...base,
      method: 'get',
      path: `/admin/${root}/`,
      summary: `Lists ${root} of any status.`,
      query: [...LIST_QUERY, 'include', 'formats'],
      answer: listed({ root, record }),
    },
    {
      ...base,
      method: 'post',
      path: `/admin/${root}/`,
      summary: `Creates a ${noun}; html is read with source=html. 422 when mail is asked for.`,
      query: SAVE,
      body: { root, schema: postCreateInput, example: create },
      answer: single({ root, record }, 201),
    },
    {
      ...base,
      method: 'get',
      path: `/admin/${root}/{id}/`,
      summary: `Reads a ${noun}.`,
      query: FORMATS,
      answer,
    },
    {
      ...base,
      method: 'post',
      path: `/admin/${root}/{id}/copy/`,
      summary: `Copies a ${noun} as a draft.`,
      query: ['formats'],
      answer: single({ root, record }, 201),
    },
    {
      ...base,
      method: 'get',
      path: `/admin/${root}/slug/{slug}/`,
      summary: `Reads a ${noun} by its slug.`,
      query: FORMATS,
      answer,
    },
    {
      ...base,
      method: 'put',
      path: `/admin/${root}/{id}/`,
      summary: `Edits, publishes, schedules or unpublishes a ${noun}; 409 when it was changed meanwhile.`,
      query: SAVE,
      body: { root, schema: postEditInput, example: edit },
      answer,
    },
    {
      ...base,
      method: 'delete',
      path: `/admin/${root}/{id}/`,
      summary: `Deletes a ${noun}.`,
      answer: NOTHING,
    },
    {
      ...base,
      method: 'put',
      path: `/admin/${root}/bulk/`,
      summary: `Edits the ${root} that a filter chooses.`,
      query: ['filter'],
      body: {
        root: null,
        schema: z.object({ bulk: postsBulkInput }),
        example: { bulk: { action: 'addTag', meta: { tags: [{ name: 'News' }] } } },
      },
      answer: { kind: 'object', status: 200, root: 'bulk', record: 'BulkEdit' },
    },
    {
      ...base,
      method: 'delete',
      path: `/admin/${root}/`,
      summary: `Deletes the ${root} that a filter chooses.`,
      query: ['filter'],
      answer: { kind: 'object', status: 200, root: 'bulk', record: 'PostsDelete' },
    },
  ];
};

const tagAnswer = { root: 'tags', record: 'Tag' } as const;
const tag = { tag: 'tags' } as const;

const TAGS: readonly Operation[] = [
  {
    ...tag,
    method: 'get',
    path: '/admin/tags/',
    summary: 'Lists tags, internal ones too.',
    query: [...LIST_QUERY, 'include'],
    answer: listed(tagAnswer),
  },
  {
    ...tag,
    method: 'post',
    path: '/admin/tags/',
    summary: 'Creates a tag; a name that begins with # makes it internal.',
    body: { root: 'tags', schema: tagCreateInput, example: { name: 'News' } },
    answer: single(tagAnswer, 201),
  },
  {
    ...tag,
    method: 'get',
    path: '/admin/tags/{id}/',
    summary: 'Reads a tag.',
    query: ['include', 'fields'],
    answer: single(tagAnswer),
  },
  {
    ...tag,
    method: 'get',
    path: '/admin/tags/slug/{slug}/',
    summary: 'Reads a tag by its slug.',
    query: ['include', 'fields'],
    answer: single(tagAnswer),
  },
  {
    ...tag,
    method: 'put',
    path: '/admin/tags/{id}/',
    summary: 'Edits a tag.',
    body: { root: 'tags', schema: tagEditInput, example: { description: 'What is new' } },
    answer: single(tagAnswer),
  },
  {
    ...tag,
    method: 'delete',
    path: '/admin/tags/{id}/',
    summary: 'Deletes a tag.',
    answer: NOTHING,
  },
];

const user = { root: 'users', record: 'User' } as const;

const USERS: readonly Operation[] = ['me', '{id}', 'slug/{slug}', 'email/{email}'].map((key) => ({
  tag: 'users',
  method: 'get',
  path: `/admin/users/${key}/`,
  summary: key === 'me' ? 'Reads the owner, for whom keys write.' : 'Reads a user.',
  query: ['include', 'fields'],
  answer: single(user),
}));

const setting = {
  kind: 'records',
  status: 200,
  root: 'settings',
  record: 'Setting',
  isSingle: false,
  isPaged: false,
} as const;

const SITE: readonly Operation[] = [
  {
    tag: 'site',
    method: 'get',
    path: '/admin/site/',
    summary: 'Title, address and looks of the site. It needs no key; a wrong one is refused.',
    isAuthenticated: false,
    answer: { kind: 'object', status: 200, root: 'site', record: 'Site' },
  },
  {
    tag: 'site',
    method: 'get',
    path: '/admin/config/',
    summary: 'What this server runs with.',
    answer: { kind: 'object', status: 200, root: 'config', record: 'Config' },
  },
  {
    tag: 'settings',
    method: 'get',
    path: '/admin/settings/',
    summary: 'The settings of the publication.',
    answer: setting,
  },
  {
    tag: 'settings',
    method: 'put',
    path: '/admin/settings/',
    summary: 'Writes settings, all of them or none.',
    body: {
      root: 'settings',
      schema: settingElement,
      example: { key: 'title', value: 'The Site' },
    },
    answer: setting,
  },
];

export const PUBLISHING_OPERATIONS: readonly Operation[] = [
  ...posts('posts', 'Post'),
  ...posts('pages', 'Page'),
  ...TAGS,
  {
    tag: 'users',
    method: 'get',
    path: '/admin/users/',
    summary: 'Lists users.',
    query: [...LIST_QUERY, 'include'],
    answer: listed(user),
  },
  ...USERS,
  ...SITE,
];
