// Renders posts that a source has as editor documents alone, while they are staged: before anything is written. One that
// cannot be rendered is kept as a draft, for a page without its body must not be shown.
import type { Row } from '../../store/import/import-rows.ts';
import type { Stage } from '../../store/import/import-stage.ts';
import type { ReportBuilder } from '../import-report.ts';

type Rendered = { readonly html: string | null; readonly plaintext: string | null };

/** Knows Ghost's editor formats. */
export type BodyRenderer = {
  readonly convert: (request: {
    readonly from: 'lexical' | 'mobiledoc';
    readonly text: string;
    readonly site: { readonly siteUrl: string };
  }) => Promise<Rendered | { readonly fault: string }>;
  /** The command that installs what renders; null where it is installed. */
  readonly installCommand: () => string | null;
};

type Rendering = {
  readonly stage: Stage;
  readonly report: ReportBuilder;
  readonly renderer: BodyRenderer | undefined;
  readonly siteUrl: string | null;
};

/** Addresses of the own site come out with a placeholder, whatever it is. */
const ANY_SITE = 'https://site.invalid';

export const renderBodies = async (rendering: Rendering): Promise<void> => {
  const { stage, report, renderer } = rendering;
  if (!hasBodiless(stage)) return;
  const installCommand = renderer?.installCommand() ?? null;
  let held = 0;
  for (const batch of stage.rows('posts')) {
    const bodiless = stage.flagged(
      'bodiless',
      'posts',
      batch.map(({ id }) => id),
    );
    for (const { id, row } of batch) {
      if (!bodiless.has(id)) continue;
      const post = JSON.parse(row) as Row;
      const rendered = installCommand === null ? await renderPost(rendering, post) : null;
      if (rendered === null) {
        held += 1;
        stage.flag('waiting', 'posts', [id]);
      }
      stage.replace('posts', id, JSON.stringify({ ...post, ...(rendered ?? { status: 'draft' }) }));
    }
  }
  if (held === 0) return;
  const how =
    installCommand === null
      ? ''
      : ` Install what renders them, and import again: ${installCommand}`;
  report.warn(
    `Posts without HTML, of which only editor data is there, are kept as drafts: ${held}.${how}`,
  );
};

/** Bodies are long, so most imports read only the ids again. */
const hasBodiless = (stage: Stage): boolean => {
  for (const rowKeys of stage.rowKeys('posts')) {
    const ids = rowKeys.map(({ id }) => id);
    if (stage.flagged('bodiless', 'posts', ids).size > 0) return true;
  }
  return false;
};

const renderPost = async (
  { renderer, report, siteUrl }: Rendering,
  post: Row,
): Promise<Rendered | null> => {
  const from = post.lexical ? 'lexical' : 'mobiledoc';
  const text = String(post[from]);
  const answer = await renderer?.convert({ from, text, site: { siteUrl: siteUrl ?? ANY_SITE } });
  if (answer === undefined) return null;
  if ('fault' in answer) {
    report.leaveOut('posts', String(post.id), { field: from, reason: answer.fault });
    return null;
  }
  return { html: answer.html, plaintext: answer.plaintext };
};
