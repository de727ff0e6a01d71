// The staged links of members to newsletters, by the ids that the publication has of both.
import type { ApplyContext } from './apply-context.ts';

export const NEWSLETTER_LINKS = 'members_newsletters';

export type NewsletterLink = {
  readonly id: string;
  /** The member by its id in the source. */
  readonly of: string;
  readonly member: string;
  readonly newsletter: string;
};

export function* listLinks({
  stage,
  aliases,
}: Pick<ApplyContext, 'stage' | 'aliases'>): Generator<NewsletterLink[]> {
  for (const rowKeys of stage.rowKeys(NEWSLETTER_LINKS)) {
    yield rowKeys.flatMap(({ id, references: [of, newsletter] }) =>
      of && newsletter
        ? [
            {
              id,
              of,
              member: aliases.resolve('members', of),
              newsletter: aliases.resolve('newsletters', newsletter),
            },
          ]
        : [],
    );
  }
}
