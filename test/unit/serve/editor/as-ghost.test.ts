// Documents become what Ghost 6.65 makes of them, byte for byte. The differences, with their reasons:
//
// | difference | reason |
// | --- | --- |
// | a video has its blank poster from img.spacergif.org, and no aspect-ratio | the renderers of 6.65, which have them, ask for Node.js 22.22 |
// | pictures have no srcset | the renderings were made without sizes |
// | Transistor's player has no `ctx` | Prepress has no site_uuid |
// | the post "gated" of the captured site | its html was written into the database beside its document |
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openConnection } from '../../../../src/base/sqlite/connection.ts';
import type { Converted } from '../../../../src/serve/editor/editor-formats.ts';
import { createFormatThread } from '../../../../src/serve/editor/format-thread.ts';
import { CAPTURED_DATABASE, CAPTURED_SITE_URL } from '../../../helpers/captured-site.ts';
import { FORMAT_WORKER, skipFormats } from '../../../helpers/format-thread.ts';
import { CARD_TYPES, GENERATED, GENERATED_SITE, generatedDocument } from './generated-documents.ts';

const thread = createFormatThread({ workerFile: FORMAT_WORKER });
afterAll(() => thread.close());

const render = async (text: string, siteUrl: string): Promise<Converted> => {
  const answer = await thread.convert({ from: 'lexical', text, site: { siteUrl } });
  if ('fault' in answer) throw new Error(answer.fault);
  return answer;
};

const goldenFile = join(import.meta.dirname, '../../../fixtures/lexical-renderings.json');
const { sha256 } = z
  .object({ sha256: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(goldenFile, 'utf8')));

const documentSchema = z.object({
  root: z.object({ children: z.array(z.object({ type: z.string() })) }),
});

describe.skipIf(skipFormats)('documents as Ghost renders them', () => {
  test(`${GENERATED} generated documents, with every card`, async () => {
    const different: number[] = [];
    const videos: number[] = [];
    const seen = new Set<string>();
    for (let index = 0; index < GENERATED; index += 1) {
      const text = generatedDocument(index);
      for (const { type } of documentSchema.parse(JSON.parse(text)).root.children) seen.add(type);
      const { html } = await render(text, GENERATED_SITE);
      const shown = (html ?? '').replaceAll('__GHOST_URL__', GENERATED_SITE);
      const hash = createHash('sha256').update(shown).digest('hex');
      if (!hash.startsWith(sha256[index] ?? 'none')) different.push(index);
      if (shown.includes('<video ')) videos.push(index);
    }
    expect(different).toEqual(videos);
    expect(videos.length).toBeLessThan(GENERATED / 10);
    expect(CARD_TYPES.filter((type) => !seen.has(type))).toEqual([]);
  });

  test('the posts of a captured site', async () => {
    const database = openConnection(CAPTURED_DATABASE, { readonly: true });
    const rows = z
      .array(z.object({ slug: z.string(), lexical: z.string(), html: z.string().nullable() }))
      .parse(
        database.prepare('SELECT slug, lexical, html FROM posts WHERE lexical IS NOT NULL').all([]),
      );
    database.close();
    const different: string[] = [];
    for (const { slug, lexical, html } of rows) {
      const shown = lexical.replaceAll('__GHOST_URL__', CAPTURED_SITE_URL);
      const rendered = await render(shown, CAPTURED_SITE_URL);
      if (rendered.html !== html || rendered.lexical !== lexical) different.push(slug);
    }
    expect(rows.length).toBeGreaterThan(50);
    expect(different).toEqual(['gated']);
  });
});
