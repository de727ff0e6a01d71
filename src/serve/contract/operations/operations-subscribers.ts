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
import {
  created,
  LIST_QUERY,
  type ListedOperation,
  listed,
  NOTHING,
  type Operations,
  object,
  single,
  WHOLE_QUERY,
} from './operation.ts';

const MEMBERS = {
  'GET /': {
    summary: 'Lists members, the newest first.',
    query: ['limit', 'page', 'order', 'filter', 'search', 'include'],
    answer: listed('ListedMember'),
  },
  'POST /': {
    summary: 'Creates a member.',
    query: ['include'],
    body: {
      schema: memberCreateInput,
      example: { email: 'ada@example.com', name: 'Ada', labels: ['VIP'] },
    },
    answer: created('SavedMember'),
  },
  'GET /{id}/': {
    summary: 'Reads a member, with tiers and attribution.',
    query: ['include'],
    answer: single('Member'),
  },
  'PUT /{id}/': {
    summary: 'Edits a member.',
    query: ['include'],
    body: { schema: memberEditInput, example: { note: 'Met in Lima' } },
    answer: single('SavedMember'),
  },
  'DELETE /{id}/': { summary: 'Deletes a member.', answer: NOTHING },
  'POST /upload/': {
    action: 'import members',
    summary:
      "Imports Ghost's members CSV; labels: for all of them, repeatable; mapping[Header]: the column that a header stands for.",
    form: { membersfile: 'binary', labels: 'text', 'mapping[Header]': 'text' },
    answer: { kind: 'object', status: 201, root: 'meta', record: 'MembersImport' },
    isLong: true,
  },
  'GET /upload/': {
    action: 'export members',
    summary: 'Exports members as CSV, all of them unless limit says how many.',
    query: ['limit', 'filter', 'search'],
    answer: { kind: 'file', status: 200, type: 'text/csv' },
  },
  'PUT /bulk/': {
    action: 'edit members',
    summary: 'Unsubscribes members, or adds or removes a label.',
    query: ['all', 'filter', 'search'],
    body: {
      root: 'bulk',
      holds: 'object',
      schema: membersBulkInput,
      example: { action: 'addLabel', meta: { label: { name: 'VIP' } } },
    },
    answer: object('BulkEdit', 'bulk'),
    isLong: true,
  },
  'GET /bulk/{id}/': {
    action: 'read bulk work on members',
    summary: 'Shows how far work on many members is, and its result once it is done.',
    answer: object('MemberJob', 'job'),
  },
  'DELETE /': {
    action: 'delete members',
    summary: 'Deletes the members that a filter or a search chooses, or all.',
    query: ['all', 'filter', 'search'],
    answer: object('BulkDelete', 'meta'),
    isLong: true,
  },
} satisfies Operations;

const sent = z.array(z.literal('sender_email'));
/** `meta` stands only where it says something. */
const createdMeta = z
  .strictObject({
    sent_email_verification: sent.optional(),
    opted_in_member_count: count.optional(),
  })
  .optional();
const editedMeta = z.strictObject({ sent_email_verification: sent }).optional();
const verifiedMeta = z.strictObject({ email_verified: z.literal('sender_email') });

const NEWSLETTERS = {
  'GET /': {
    summary: 'Lists newsletters, archived ones too.',
    query: LIST_QUERY,
    answer: listed('Newsletter'),
  },
  'POST /': {
    summary: 'Creates a newsletter; a sender address waits for the link mailed to it.',
    body: { schema: newsletterCreateInput, example: { name: 'Weekly' } },
    answer: { ...created('Newsletter'), meta: createdMeta },
  },
  'GET /{id}/': { summary: 'Reads a newsletter.', query: ['fields'], answer: single('Newsletter') },
  'PUT /{id}/': {
    summary: 'Edits a newsletter; a new sender address waits for the link mailed to it.',
    body: {
      schema: newsletterEditInput,
      example: { sender_name: 'The desk', sender_email: 'desk@example.com' },
    },
    // The address that it is sent from stays ours.
    changes: 'parts',
    answer: { ...single('Newsletter'), meta: editedMeta },
  },
  'PUT /verifications/': {
    action: 'verify sender address',
    summary: 'Makes the address of a mailed token effective.',
    body: { root: null, schema: verificationInput, example: { token: 'the-token-of-the-mail' } },
    changes: 'ours',
    answer: { ...single('Newsletter'), meta: verifiedMeta },
  },
} satisfies Operations;

const LABELS = {
  'GET /': { summary: 'Lists labels.', query: LIST_QUERY, answer: listed('Label') },
  'GET /{id}/': { summary: 'Reads a label.', query: ['fields'], answer: single('Label') },
  'GET /slug/{slug}/': {
    summary: 'Reads a label by its slug.',
    query: ['fields'],
    answer: single('Label'),
  },
  'POST /': {
    summary: 'Creates a label.',
    body: { schema: labelCreateInput, example: { name: 'VIP' } },
    answer: created('Label'),
  },
  'PUT /{id}/': {
    summary: 'Edits a label.',
    body: { schema: labelEditInput, example: { name: 'Friends' } },
    answer: single('Label'),
  },
  'DELETE /{id}/': { summary: 'Deletes a label; its members stay.', answer: NOTHING },
} satisfies Operations;

const TIERS = {
  'GET /': { summary: 'Lists all tiers.', query: WHOLE_QUERY, answer: listed('Tier') },
  'GET /{id}/': { summary: 'Reads a tier.', query: ['fields'], answer: single('Tier') },
  'POST /': {
    summary: 'Creates a tier.',
    body: {
      schema: tierCreateInput,
      example: { name: 'Gold', currency: 'USD', monthly_price: 500, yearly_price: 5000 },
    },
    answer: created('Tier'),
  },
  'PUT /{id}/': {
    summary: 'Edits a tier.',
    body: { schema: tierEditInput, example: { active: false } },
    answer: single('Tier'),
  },
} satisfies Operations;

const offer = {
  name: 'Half a year',
  code: 'half',
  type: 'percent',
  amount: 50,
  cadence: 'year',
  duration: 'once',
  tier: { id: '6b00f97e69263f2f531b8a00' },
};

const OFFERS = {
  'GET /': { summary: 'Lists all offers.', query: WHOLE_QUERY, answer: listed('Offer') },
  'GET /{id}/': { summary: 'Reads an offer.', query: ['fields'], answer: single('Offer') },
  'POST /': {
    summary: 'Creates an offer.',
    body: { schema: offerCreateInput, example: offer },
    // As Ghost answers.
    answer: created('Offer', 200),
  },
  'PUT /{id}/': {
    summary: 'Edits an offer.',
    body: { schema: offerEditInput, example: { status: 'archived' } },
    answer: single('Offer'),
  },
} satisfies Operations;

export const SUBSCRIBER_OPERATIONS = {
  members: MEMBERS,
  newsletters: NEWSLETTERS,
  labels: LABELS,
  tiers: TIERS,
  offers: OFFERS,
} satisfies Readonly<Record<string, Operations>>;

const mailed = {
  tag: 'mailed links',
  keys: 'none',
  answer: { kind: 'page', status: 200 },
} as const;

/** Outside of the admin interface; server/pages answers them. */
export const MAILED_OPERATIONS: readonly ListedOperation[] = [
  {
    ...mailed,
    method: 'get',
    path: '/newsletters/verify/',
    summary: 'Confirms a sender address.',
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
