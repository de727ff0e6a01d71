// A body as html and as a document, without saving it: for an editor who goes on writing it in another form.
import { createSiteUrlResolver } from '../../../publication/documents/site-url.ts';
import { type BodyInput, readBody } from '../../editor/post-html.ts';
import type { UseCaseContext } from '../use-case-context.ts';

/** What html has no node for is an HTML card of the document. Throws VALIDATION, as a save does. */
export const convertBody = async (
  { site: readSite, formats }: Pick<UseCaseContext, 'site' | 'formats'>,
  input: BodyInput,
): Promise<{ html: string | null; lexical: string | null }> => {
  const site = await readSite();
  const body = await readBody(input, { sourceHtml: input.html !== undefined, site, formats });
  const shown = createSiteUrlResolver(site.siteUrl);
  return {
    html: shown.nullableText(body?.html),
    lexical: shown.nullableText(body?.lexical),
  };
};
