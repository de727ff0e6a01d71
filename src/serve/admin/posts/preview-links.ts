// Links to posts and pages of any status, for who has no key. A token names its end and whether what is gated is shown, and is
// signed for one record. Nothing of it is stored: to revoke changes what all of them are signed over.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { PrepressError } from '../../../base/errors.ts';
import {
  findPreviewEpoch,
  savePreviewEpoch,
} from '../../../publication/store/access/preview-epoch.ts';
import { findPostById, type PostType } from '../../../publication/store/content/posts.ts';
import type { Config } from '../../../settings/settings.ts';
import type { ShownRecord } from '../../contract/records.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { postNotFound } from './read-post.ts';

type Context = Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>;

type Previewed = { readonly type: PostType; readonly uuid: string };

export type PreviewScope = { readonly isUngated: boolean };

type Link = PreviewScope & {
  readonly type: PostType;
  readonly id: string;
  readonly hours: number;
  /** Public address of the companion server, with its base path. */
  readonly base: string;
};

const HOUR_S = 3_600;

/** Throws NOT_FOUND, and VALIDATION while the setting `previewLinks` is off. */
export const createPreviewLink = async (
  context: Context,
  { previewLinks }: Pick<Config, 'previewLinks'>,
  { type, id, hours, base, isUngated }: Link,
): Promise<ShownRecord<'PreviewLink'>> => {
  if (previewLinks === 'off') throw new PrepressError('VALIDATION', OFF);
  const post = await findPostById(context.store, type, id);
  if (post === undefined) throw postNotFound(type);
  const endsAt = Math.floor(context.clock.now() / 1_000) + hours * HOUR_S;
  const named = `${isUngated ? 'whole' : 'gated'}.${endsAt}`;
  const token = `${named}.${await sign(context, { type, uuid: post.uuid }, named)}`;
  const pattern = previewLinks === 'on' ? `${base}${PAGE}` : previewLinks;
  const values = { type, uuid: post.uuid, token };
  return {
    url: pattern.replace(/\{(type|uuid|token)\}/g, (_, name: keyof typeof values) =>
      encodeURIComponent(values[name]),
    ),
    token,
    expires_at: new Date(endsAt * 1_000).toISOString(),
  };
};

const OFF =
  'Preview links are off. To allow them, set "previewLinks": "on" in prepress.config.json, or PREPRESS_PREVIEW_LINKS=on for the server and for commands; or set it to the address of your own preview page, with {uuid}, {type} and {token} in it.';

/** Below the base path: that of a record's document, and behind it that of its page. */
const PAGE = '/content/{type}s/preview/{uuid}/page/?token={token}';

/** What the token shows of that record; null where it ended, was revoked, or is none of this record and publication. */
export const readPreviewToken = async (
  context: Context,
  previewed: Previewed,
  token: string,
): Promise<PreviewScope | null> => {
  const [, named = '', scope, endsAt, mac = ''] = TOKEN.exec(token) ?? [];
  if (named === '' || Number(endsAt) * 1_000 <= context.clock.now()) return null;
  const expected = Buffer.from(await sign(context, previewed, named));
  const given = Buffer.from(mac);
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  return isRight ? { isUngated: scope === 'whole' } : null;
};

const TOKEN = /^((whole|gated)\.([1-9]\d{0,10}))\.([\w-]{43})$/;

const sign = async (
  { store, secretBox }: Context,
  { type, uuid }: Previewed,
  named: string,
): Promise<string> =>
  createHmac('sha256', secretBox.derive('preview'))
    .update(`${await findPreviewEpoch(store)} ${named} ${type} ${uuid}`)
    .digest('base64url');

/** Ends every link, at once. */
export const revokePreviewLinks = ({ store }: Pick<Context, 'store'>): Promise<void> =>
  store.write((tx) => savePreviewEpoch(tx, randomBytes(16).toString('hex')));
