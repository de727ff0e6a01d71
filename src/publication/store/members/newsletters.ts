// Queries of newsletters, and of the requests to verify an address that one is to be sent from.
import { type Selectable, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { NewslettersTable } from '../../tables/offerings.ts';
import { db, type Queryable } from '../db.ts';
import { column, type ListSource, ownColumns } from '../list-source.ts';
import { listRows, rowsOf } from '../table-rows.ts';

export type NewsletterRow = Selectable<NewslettersTable>;

const OWN = ownColumns('newsletters', {
  ...each('text', 'id uuid name slug description status visibility sender_name sender_email'),
  ...each('text', 'sender_reply_to header_image footer_content background_color button_style'),
  ...each('text', 'post_title_color section_title_color divider_color button_color link_color'),
  ...each('text', 'title_font_category title_font_weight title_alignment body_font_category'),
  ...each('text', 'header_background_color button_corners link_style image_corners'),
  ...each('flag', 'subscribe_on_signup feedback_enabled show_badge show_excerpt'),
  ...each('flag', 'show_header_icon show_header_title show_header_name show_feature_image'),
  ...each('flag', 'show_post_title_section show_comment_cta show_latest_posts'),
  ...each('flag', 'show_subscription_details show_share_button'),
  ...each('time', 'created_at updated_at'),
  sort_order: 'number',
});

export const NEWSLETTER_LIST: ListSource<NewsletterRow> = {
  table: 'newsletters',
  fields: OWN.fields,
  orders: { ...OWN.orders, name: sql`${column('newsletters', 'name')} COLLATE NOCASE` },
  defaultOrder: sql`newsletters.sort_order, ${OWN.orders.created_at}, newsletters.id`,
};

export const {
  find: findNewsletter,
  insert: insertNewsletter,
  update: updateNewsletter,
} = rowsOf('newsletters');

/** Another newsletter of that name, ASCII case aside. */
export const findNewsletterNamed = (
  from: Queryable,
  name: string,
  exceptId: string,
): Promise<NewsletterRow | undefined> =>
  db(from)
    .selectFrom('newsletters')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('id', '!=', exceptId)
    .executeTakeFirst();

export const listNewsletters = (from: Queryable): Promise<NewsletterRow[]> =>
  listRows(from, 'newsletters', { by: ['sort_order', 'created_at', 'id'] });

/** Who signs up gets it. */
export const isDefault = ({ status, subscribe_on_signup, visibility }: NewsletterRow): boolean =>
  status === 'active' && subscribe_on_signup === 1 && visibility === 'members';
