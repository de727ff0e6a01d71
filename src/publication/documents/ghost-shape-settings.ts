// The settings object in Ghost's shape: all keys that Ghost 6.65 answers, in its order. Values that are not stored are
// Ghost's defaults; what only Ghost's own configuration knows is made of what is stored.

import { isJsonObject, parseJson } from '../../base/text/json-value.ts';
import { eachBy, pick } from '../../base/text/words.ts';
import { GHOST_VERSION } from '../../content/contract/ghost-version.ts';
import {
  type InterfaceSettings,
  resolveSupportAddress,
  type SettingReaders,
} from './interface-settings.ts';

export const toGhostSettings = (own: InterfaceSettings, tools: SettingReaders) => {
  const { siteUrl, text, image } = tools;
  const flag = (key: string, absent = false): boolean => readFlag(text(key)) ?? absent;
  const access = text('members_signup_access') ?? 'all';
  const hasPayments = PAYMENT_KEYS.some((key) => text(key) !== null);
  const noReply = resolveSupportAddress(null, siteUrl);
  return {
    ...pick(own, 'title description logo icon accent_color cover_image facebook twitter'),
    ...eachBy('threads bluesky mastodon tiktok youtube instagram linkedin', text),
    locale: own.lang,
    timezone: own.timezone,
    ...pick(own, 'codeinjection_head codeinjection_foot navigation secondary_navigation'),
    ...pick(own, 'meta_title meta_description og_image og_title og_description'),
    ...pick(own, 'twitter_image twitter_title twitter_description'),
    members_support_address: text('members_support_address') ?? 'noreply',
    members_enabled: access !== 'none',
    donations_enabled: hasPayments,
    allow_self_signup: access === 'all',
    members_invite_only: access === 'invite',
    members_signup_access: access,
    paid_members_enabled: access !== 'none' && hasPayments,
    firstpromoter_account: flag('firstpromoter') ? text('firstpromoter_id') : null,
    portal_button_style: text('portal_button_style') ?? 'icon-and-text',
    portal_button_signup_text: text('portal_button_signup_text') ?? 'Subscribe',
    portal_button_icon: image('portal_button_icon'),
    portal_signup_terms_html: text('portal_signup_terms_html'),
    portal_signup_checkbox_required: flag('portal_signup_checkbox_required'),
    portal_signup_gift_promotion: flag('portal_signup_gift_promotion', true),
    portal_account_gift_promotion: flag('portal_account_gift_promotion', true),
    portal_plans: readJson(text('portal_plans'), Array.isArray) ?? ['free'],
    portal_default_plan: text('portal_default_plan') ?? 'yearly',
    portal_name: flag('portal_name', true),
    portal_button: flag('portal_button'),
    comments_enabled: text('comments_enabled') ?? 'all',
    recommendations_enabled: flag('recommendations_enabled'),
    outbound_link_tagging: flag('outbound_link_tagging', true),
    default_email_address: text('default_email_address') ?? noReply,
    support_email_address:
      text('support_email_address') ??
      resolveSupportAddress(text('members_support_address'), siteUrl),
    editor_default_email_recipients: text('editor_default_email_recipients') ?? 'visibility',
    labs: {
      ...readJson(text('labs'), isJsonObject),
      automationAnalytics: true,
      tagDetailsReact: true,
      members: access !== 'none',
    },
    transistor_portal_enabled: flag('transistor') && flag('transistor_portal_enabled', true),
    transistor_portal_heading: text('transistor_portal_heading') ?? 'Podcasts',
    transistor_portal_description:
      text('transistor_portal_description') ?? 'Access your private podcast feed',
    transistor_portal_button_text: text('transistor_portal_button_text') ?? 'View',
    transistor_portal_url_template:
      text('transistor_portal_url_template') ?? 'https://partner.transistor.fm/ghost/{memberUuid}',
    site_uuid: text('site_uuid'),
    lang: own.lang,
    url: own.url,
    version: GHOST_VERSION,
  };
};

/** Public ones: where one is stored, payments are set up. */
const PAYMENT_KEYS = ['stripe_publishable_key', 'stripe_connect_publishable_key'] as const;

const readFlag = (stored: string | null): boolean | null =>
  stored === null ? null : !['false', '0'].includes(stored);

/** Null for what is no JSON, or another kind of it. */
const readJson = <T>(stored: string | null, isIt: (value: unknown) => value is T): T | null => {
  const value = parseJson(stored ?? 'null');
  return isIt(value) ? value : null;
};
