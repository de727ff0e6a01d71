// Refuses saves that ask for mail: Prepress sends no newsletters, and a 200 would say that it does. A value
// that is stored already, such as that of an imported post, asks for nothing.
import { invalid, type PrepressError } from '../../../base/errors.ts';
import type { FullPostRow } from '../../../publication/store/content/posts.ts';
import { findNewsletter } from '../../../publication/store/members/newsletters.ts';
import type { Queryable } from '../../../publication/store/store.ts';

/** What asks for mail in the query of a save of a post: today's names, and those of earlier Ghosts. */
export const MAIL_TEXTS = [
  'newsletter',
  'newsletter_id',
  'email_segment',
  'email_recipient_filter',
  'email_type',
] as const;

/** As sent; empty ones left out. */
export type MailParameters = Readonly<Partial<Record<(typeof MAIL_TEXTS)[number], string>>> & {
  readonly send_email_when_published?: boolean;
};

/** Of a payload; absent and null ask for nothing. */
export type MailInput = {
  readonly email_only?: boolean | undefined;
  /** Its id or slug. */
  readonly newsletter?: string | null | undefined;
  readonly newsletter_id?: string | null | undefined;
};

type StoredMail = Pick<FullPostRow, 'newsletter_id' | 'email_recipient_filter'> & {
  readonly wasEmailOnly: boolean;
};

/** Throws VALIDATION naming the first property that asks for mail. `stored` is null for a new post. */
export const rejectNewsletterSend = async (
  from: Queryable,
  asked: Asked,
  stored: StoredMail | null,
): Promise<void> => {
  const { parameters, input } = asked;
  if (input.email_only === true && stored?.wasEmailOnly !== true) throw refused('email_only');
  await refuseNewsletters(from, asked, stored);
  for (const property of ['email_segment', 'email_recipient_filter'] as const) {
    const segment = parameters[property];
    if (segment && !isNobody(segment) && segmentOf(segment) !== stored?.email_recipient_filter) {
      throw refused(property);
    }
  }
  if (parameters.email_type) throw refused('email_type');
  if (parameters.send_email_when_published) throw refused('send_email_when_published');
};

type Asked = { readonly parameters: MailParameters; readonly input: MailInput };

const refuseNewsletters = async (
  from: Queryable,
  { parameters, input }: Asked,
  stored: StoredMail | null,
): Promise<void> => {
  const named = [
    ['newsletter', parameters.newsletter],
    ['newsletter_id', parameters.newsletter_id],
    ['newsletter', input.newsletter],
    ['newsletter_id', input.newsletter_id],
  ] as const;
  for (const [property, value] of named) {
    if (value && !(await isStoredNewsletter(from, value, stored))) throw refused(property);
  }
};

const isStoredNewsletter = async (
  from: Queryable,
  value: string,
  stored: StoredMail | null,
): Promise<boolean> => {
  const id = stored?.newsletter_id ?? null;
  if (id === null) return false;
  return value === id || value === (await findNewsletter(from, id))?.slug;
};

const isNobody = (segment: string): boolean => segment === 'none';

/** Ghost's clients write "everybody" in two ways. */
const segmentOf = (text: string): string => (text === 'status:free,status:-free' ? 'all' : text);

const refused = (property: string): PrepressError =>
  invalid(
    property,
    `${property} asks for mail, and Prepress sends no newsletters: leave it out. Nothing was saved.`,
  );
