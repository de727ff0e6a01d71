// Reads members in the shape of the interface: a page of them, or one with its attribution and tiers.
import { notFound } from '../../../base/errors.ts';
import { attributionDocument } from '../../../publication/documents/admin/attribution.ts';
import type {
  AdminContext,
  JsonObject,
} from '../../../publication/documents/admin/document-context.ts';
import type { MemberRecord } from '../../../publication/documents/admin/member.ts';
import { memberDocument } from '../../../publication/documents/admin/member-document.ts';
import { adminSubscriptions } from '../../../publication/documents/admin/subscription.ts';
import { subscriptionDocument } from '../../../publication/documents/admin/subscription-document.ts';
import {
  type AttributionRow,
  attributionsOf,
  type EmailRecipientRow,
  type MemberRows,
  readMemberRows,
  recipientsOf,
} from '../../../publication/store/members/member-rows.ts';
import {
  findMember,
  MEMBER_LIST,
  type MemberRow,
} from '../../../publication/store/members/members.ts';
import { type Listed, type ListParameters, readList } from '../list-query.ts';
import { adminShape } from '../posts/read-post.ts';
import type { MembersContext } from '../use-case-context.ts';
import { findAttributedRecord } from './attributed-record.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** What clients may add to a member; `labels` are always there. */
export type MemberInclude = 'newsletters' | 'labels' | 'tiers' | 'email_recipients';

type ReadContext = Pick<MembersContext, 'store' | 'clock' | 'site' | 'secretBox' | 'publicUrl'>;

type Attributions = {
  readonly member: JsonObject | null;
  /** By the processor's id of the subscription. */
  readonly subscriptions: ReadonlyMap<string, JsonObject | null>;
};

type Shown = {
  readonly include: readonly MemberInclude[];
  readonly hasTiers: boolean;
  /** Undefined: none is shown. */
  readonly attributions?: Attributions;
};

/** Throws VALIDATION, BAD_REQUEST; see readList. */
export const browseMembers = async (
  context: ReadContext,
  parameters: ListParameters,
  include: readonly MemberInclude[],
): Promise<Listed> => {
  const { rows, pagination } = await readList(context, MEMBER_LIST, parameters);
  const hasTiers = include.includes('tiers');
  return { records: await showMembers(context, rows, { include, hasTiers }), pagination };
};

type ReadOptions = {
  readonly include?: readonly MemberInclude[];
  /** False for the answer to a save. */
  readonly withAttribution: boolean;
};

/** Throws NOT_FOUND. */
export const readMember = async (
  context: ReadContext,
  id: string,
  { include = [], withAttribution }: ReadOptions,
): Promise<JsonObject> => {
  const row = await findMember(context.store, id);
  if (row === undefined) throw notFound('Member');
  const attributions = withAttribution ? await readAttributions(context, id) : undefined;
  const [member] = await showMembers(context, [row], {
    include,
    hasTiers: true,
    ...(attributions && { attributions }),
  });
  if (member === undefined) throw notFound('Member');
  return member;
};

const showMembers = async (
  context: ReadContext,
  members: readonly MemberRow[],
  shown: Shown,
): Promise<JsonObject[]> => {
  const { store } = context;
  const rows = await readMemberRows(store, members);
  const shape = await adminShape(context);
  const recipients = shown.include.includes('email_recipients')
    ? await recipientsOf(
        store,
        members.map(({ id }) => id),
      )
    : undefined;
  return members.map((member) =>
    showMember({ member, rows, recipients, shown }, shape, unsubscribeUrl(context, member.uuid)),
  );
};

type Sources = {
  readonly member: MemberRow;
  readonly rows: MemberRows;
  readonly recipients: readonly EmailRecipientRow[] | undefined;
  readonly shown: Shown;
};

const showMember = (
  { member, rows, recipients, shown }: Sources,
  shape: AdminContext,
  url: string,
): JsonObject => {
  const isOwn = ({ member_id }: { readonly member_id: string }): boolean => member_id === member.id;
  const tiers = rows.tiers
    .filter(isOwn)
    .map(({ member_id: _, expiry_at, ...tier }) => ({ tier, expiryAt: expiry_at }));
  const record: MemberRecord = {
    member,
    tiers,
    labels: rows.labels.filter(isOwn),
    newsletters: rows.newsletters.filter(isOwn),
    subscriptions: [],
  };
  const subscriptions = adminSubscriptions(
    { member, ...rows, tiers },
    { allTiers: shape.tiers, now: shape.now },
  );
  const { attributions } = shown;
  return memberDocument(
    {
      record,
      subscriptions: subscriptions.map((subscription) =>
        subscriptionDocument(
          subscription,
          attributions && (attributions.subscriptions.get(String(subscription.id)) ?? null),
        ),
      ),
      suppression: rows.suppressions.find(
        ({ email }) => email.toLowerCase() === member.email.toLowerCase(),
      ),
      opens: rows.opens.find(isOwn),
      unsubscribeUrl: url,
      attribution: attributions?.member,
      recipients: recipients?.filter(isOwn),
      hasNewsletters: shown.include.includes('newsletters'),
      hasTiers: shown.hasTiers,
    },
    shape,
  );
};

const readAttributions = async (context: ReadContext, memberId: string): Promise<Attributions> => {
  const { store } = context;
  const shape = await adminShape(context);
  const { member, subscriptions } = await attributionsOf(store, memberId);
  const show = async (row: AttributionRow | undefined): Promise<JsonObject | null> =>
    attributionDocument(row, await findAttributedRecord(store, row, shape), shape.siteUrl);
  const shown = new Map<string, JsonObject | null>();
  for (const [id, row] of subscriptions) shown.set(id, await show(row));
  return { member: await show(member), subscriptions: shown };
};
