// Operations of members, newsletters, labels, tiers and offers, and the pages behind mailed links.
import * as z from 'zod';
import { labelCreateInput, labelEditInput } from '../input/label-input.ts';
import { memberCreateInput, memberEditInput, membersBulkInput } from '../input/member-input.ts';
import {
  newsletterCreateInput,
  newsletterEditInput,
  verificationInput,
} from '../input/newsletter-input.ts';
import { offerCreateInput, offerEditInput } from '../input/offer-input.ts';
import { tierCreateInput, tierEditInput } from '../input/tier-input.ts';
import { count } from '../record-fields.ts';
import type { RecordName } from '../records.ts';
import { LIST_QUERY, listed, NOTHING, type Operation, single } from './operation.ts';

const saved = { root: 'members', record: 'SavedMember' } as const;
const member = { tag: 'members' } as const;

const MEMBERS: readonly Operation[] = [
  {
    ...member,
    method: 'get',
    path: '/admin/members/',
    summary: 'Lists members, the newest first.',
    query: ['limit', 'page', 'order', 'filter', 'search', 'include'],
    answer: listed({ root: 'members', record: 'ListedMember' }),
  },
  {
    ...member,
    method: 'post',
    path: '/admin/members/',
    summary: 'Creates a member.',
    query: ['include'],
    body: {
      root: 'members',
      schema: memberCreateInput,
      example: { email: 'ada@example.com', name: 'Ada', labels: ['VIP'] },
    },
    answer: single(saved, 201),
  },
  {
    ...member,
    method: 'get',
    path: '/admin/members/{id}/',
    summary: 'Reads a member, with tiers and attribution.',
    query: ['include'],
    answer: single({ root: 'members', record: 'Member' }),
  },
  {
    ...member,
    method: 'put',
    path: '/admin/members/{id}/',
    summary: 'Edits a member.',
    query: ['include'],
    body: { root: 'members', schema: memberEditInput, example: { note: 'Met in Lima' } },
    answer: single(saved),
  },
  {
    ...member,
    method: 'delete',
    path: '/admin/members/{id}/',
    summary: 'Deletes a member.',
    answer: NOTHING,
  },
  {
    ...member,
    method: 'post',
    path: '/admin/members/upload/',
    summary:
      "Imports Ghost's members CSV; labels: for all of them, repeatable; mapping[Header]: the column that a header stands for.",
    form: { membersfile: 'binary', labels: 'text', 'mapping[Header]': 'text' },
    answer: { kind: 'object', status: 201, root: 'meta', record: 'MembersImport' },
    isLong: true,
  },
  {
    ...member,
    method: 'get',
    path: '/admin/members/upload/',
    summary: 'Exports members as CSV, all of them unless limit says how many.',
    query: ['limit', 'filter', 'search'],
    answer: { kind: 'file', status: 200, type: 'text/csv' },
  },
  {
    ...member,
    method: 'put',
    path: '/admin/members/bulk/',
    summary: 'Unsubscribes members, or adds or removes a label.',
    query: ['all', 'filter', 'search'],
    body: {
      root: null,
      schema: z.object({ bulk: membersBulkInput }),
      example: { bulk: { action: 'addLabel', meta: { label: { name: 'VIP' } } } },
    },
    answer: { kind: 'object', status: 200, root: 'bulk', record: 'BulkEdit' },
    isLong: true,
  },
  {
    ...member,
    method: 'get',
    path: '/admin/members/bulk/{id}/',
    summary: 'Shows how far work on many members is, and its result once it is done.',
    answer: { kind: 'object', status: 200, root: 'job', record: 'MemberJob' },
  },
  {
    ...member,
    method: 'delete',
    path: '/admin/members/',
    summary: 'Deletes the members that a filter or a search chooses, or all.',
    query: ['all', 'filter', 'search'],
    answer: { kind: 'object', status: 200, root: 'meta', record: 'BulkDelete' },
    isLong: true,
  },
];

const newsletter = { root: 'newsletters', record: 'Newsletter' } as const;
const letters = { tag: 'newsletters' } as const;

const sent = z.array(z.literal('sender_email'));
/** `meta` stands only where it says something. */
const createdMeta = z
  .strictObject({
    sent_email_verification: sent.optional(),
    opted_in_member_count: count.optional(),
  })
  .optional();
const editedMeta = z.strictObject({ sent_email_verification: sent }).optional();

const NEWSLETTERS: readonly Operation[] = [
  {
    ...letters,
    method: 'get',
    path: '/admin/newsletters/',
    summary: 'Lists newsletters, archived ones too.',
    query: LIST_QUERY,
    answer: listed(newsletter),
  },
  {
    ...letters,
    method: 'post',
    path: '/admin/newsletters/',
    summary: 'Creates a newsletter; a sender address waits for the link mailed to it.',
    body: { root: 'newsletters', schema: newsletterCreateInput, example: { name: 'Weekly' } },
    answer: single(newsletter, 201, createdMeta),
  },
  {
    ...letters,
    method: 'get',
    path: '/admin/newsletters/{id}/',
    summary: 'Reads a newsletter.',
    query: ['fields'],
    answer: single(newsletter),
  },
  {
    ...letters,
    method: 'put',
    path: '/admin/newsletters/{id}/',
    summary: 'Edits a newsletter; a new sender address waits for the link mailed to it.',
    body: {
      root: 'newsletters',
      schema: newsletterEditInput,
      example: { sender_name: 'The desk', sender_email: 'desk@example.com' },
    },
    answer: single(newsletter, 200, editedMeta),
  },
  {
    ...letters,
    method: 'put',
    path: '/admin/newsletters/verifications/',
    summary: 'Makes the address of a mailed token effective.',
    body: { root: null, schema: verificationInput, example: { token: 'the-token-of-the-mail' } },
    answer: single(newsletter, 200, z.strictObject({ email_verified: z.literal('sender_email') })),
  },
];

const readable = (root: string, record: RecordName, keys: readonly string[]): Operation[] => [
  {
    tag: root,
    method: 'get',
    path: `/admin/${root}/`,
    summary: `Lists ${root}.`,
    query: LIST_QUERY,
    answer: listed({ root, record }),
  },
  ...keys.map(
    (key): Operation => ({
      tag: root,
      method: 'get',
      path: `/admin/${root}/${key}/`,
      summary: `Reads one of the ${root}.`,
      query: ['fields'],
      answer: single({ root, record }),
    }),
  ),
];

type Saves = {
  readonly root: string;
  readonly record: RecordName;
  readonly status?: number;
  readonly create: { readonly schema: z.ZodType; readonly example: unknown };
  readonly edit: { readonly schema: z.ZodType; readonly example: unknown };
};

const saves = ({ root, record, status = 201, create, edit }: Saves): Operation[] => [
  {
    tag: root,
    method: 'post',
    path: `/admin/${root}/`,
    summary: `Creates one of the ${root}.`,
    body: { root, ...create },
    answer: single({ root, record }, status),
  },
  {
    tag: root,
    method: 'put',
    path: `/admin/${root}/{id}/`,
    summary: `Edits one of the ${root}.`,
    body: { root, ...edit },
    answer: single({ root, record }),
  },
];

const OFFERINGS: readonly Operation[] = [
  ...readable('labels', 'Label', ['{id}', 'slug/{slug}']),
  ...saves({
    root: 'labels',
    record: 'Label',
    create: { schema: labelCreateInput, example: { name: 'VIP' } },
    edit: { schema: labelEditInput, example: { name: 'Friends' } },
  }),
  {
    tag: 'labels',
    method: 'delete',
    path: '/admin/labels/{id}/',
    summary: 'Deletes a label; its members stay.',
    answer: NOTHING,
  },
  ...readable('tiers', 'Tier', ['{id}']),
  ...saves({
    root: 'tiers',
    record: 'Tier',
    create: {
      schema: tierCreateInput,
      example: { name: 'Gold', currency: 'USD', monthly_price: 500, yearly_price: 5000 },
    },
    edit: { schema: tierEditInput, example: { active: false } },
  }),
  ...readable('offers', 'Offer', ['{id}']),
  ...saves({
    root: 'offers',
    record: 'Offer',
    status: 200,
    create: {
      schema: offerCreateInput,
      example: {
        name: 'Half a year',
        code: 'half',
        type: 'percent',
        amount: 50,
        cadence: 'year',
        duration: 'once',
        tier: { id: '6b00f97e69263f2f531b8a00' },
      },
    },
    edit: { schema: offerEditInput, example: { status: 'archived' } },
  }),
];

const page = { kind: 'page', status: 200 } as const;
const mailed = { tag: 'mailed links', isAuthenticated: false, answer: page } as const;

export const SUBSCRIBER_OPERATIONS: readonly Operation[] = [
  ...MEMBERS,
  ...NEWSLETTERS,
  ...OFFERINGS,
  {
    ...mailed,
    method: 'get',
    path: '/newsletters/verify/',
    summary: 'Makes a sender address effective, and says so.',
    query: ['token'],
  },
  {
    ...mailed,
    method: 'get',
    path: '/unsubscribe/',
    summary: 'The page of a member who wants to unsubscribe.',
    query: ['uuid', 'key'],
  },
  {
    ...mailed,
    method: 'post',
    path: '/unsubscribe/',
    summary: 'Unsubscribes; also as the one-click POST of RFC 8058.',
    query: ['uuid', 'key'],
  },
];
