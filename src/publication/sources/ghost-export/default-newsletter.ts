// The newsletter that Ghost 5 made for members of versions which had none by name.
import { NAME_CHARACTERS_MAX } from '../../../base/limits.ts';

export const DEFAULT_NEWSLETTER_SLUG = 'default-newsletter';

/** The name of the site. */
export const defaultNewsletterName = (title: unknown): string =>
  String(title || 'Newsletter').slice(0, NAME_CHARACTERS_MAX);
