// Which settings of a Ghost publication are taken. A list of what is allowed, by exact name: secrets,
// credentials of other services, and whatever a later Ghost adds never pass.

const SITE = `title description logo cover_image icon accent_color locale timezone codeinjection_head
  codeinjection_foot facebook twitter threads bluesky mastodon tiktok youtube instagram linkedin
  navigation secondary_navigation meta_title meta_description og_image og_title og_description
  twitter_image twitter_title twitter_description heading_font body_font url`;

const BEHAVIOUR = `default_content_visibility default_content_visibility_tiers members_signup_access
  members_support_address members_track_sources blocked_email_domains email_track_opens
  email_track_clicks outbound_link_tagging web_analytics comments_enabled recommendations_enabled
  editor_default_email_recipients editor_default_email_recipients_filter donations_currency
  donations_suggested_amount announcement_content announcement_visibility announcement_background
  llms_enabled labs`;

const PORTAL = `portal_name portal_button portal_plans portal_default_plan portal_products
  portal_button_style portal_button_icon portal_button_signup_text portal_signup_terms_html
  portal_signup_checkbox_required portal_signup_gift_promotion portal_account_gift_promotion
  transistor transistor_portal_enabled transistor_portal_heading transistor_portal_description
  transistor_portal_button_text transistor_portal_url_template`;

/** Of other services; their publishable keys are no secrets, and tell that payments are set up. */
const SERVICES = `site_uuid firstpromoter firstpromoter_id stripe_publishable_key
  stripe_connect_publishable_key default_email_address support_email_address`;

const TAKEN: ReadonlySet<string> = new Set(
  `${SITE} ${BEHAVIOUR} ${PORTAL} ${SERVICES}`.split(/\s+/),
);

/** Names that earlier versions of Ghost used; a setting under its present name goes first. */
const EARLIER: ReadonlyMap<string, string> = new Map([
  ['lang', 'locale'],
  ['default_locale', 'locale'],
  ['defaultLang', 'locale'],
  ['active_timezone', 'timezone'],
  ['activeTimezone', 'timezone'],
  ['ghost_head', 'codeinjection_head'],
  ['ghost_foot', 'codeinjection_foot'],
  ['cover', 'cover_image'],
]);

type SettingName = { readonly key: string; readonly isEarlier: boolean };

/** The key a setting is stored under, or null when it is not taken. */
export const settingNameOf = (key: unknown): SettingName | null => {
  if (typeof key !== 'string') return null;
  if (TAKEN.has(key)) return { key, isEarlier: false };
  const present = EARLIER.get(key);
  return present === undefined ? null : { key: present, isEarlier: true };
};
