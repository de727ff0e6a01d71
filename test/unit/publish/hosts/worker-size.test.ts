// Edge code stays below 32.5 KiB, as it is uploaded: with the facts of a site that asks for content keys.
import { expect, test } from 'vitest';
import { cloudflareFiles } from '../../../../src/publish/hosts/cloudflare/files.ts';
import { cloudflarePagesFiles } from '../../../../src/publish/hosts/cloudflare-pages/files.ts';
import type { HostFile, HostSite } from '../../../../src/publish/hosts/host.ts';
import { netlifyEdgeFiles } from '../../../../src/publish/hosts/netlify-edge/files.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';

const BYTES_MAX = 32.5 * 1024;

const SITE = bareHostSite({
  basePath: '/blog',
  names: [{ resource: 'posts', slug: 'con', segment: `~${'0'.repeat(32)}` }],
  paged: ['authors', 'tags', 'pages', 'posts'],
  queries: { otherQueries: 'refuse', staleSeconds: 60, max: 1_000, listPages: 1 },
  keyHashes: ['0'.repeat(64), 'f'.repeat(64)],
  selection: { profile: 'by-id', variants: ['index'] },
});

const HOSTS: Readonly<Record<string, (site: HostSite) => Promise<readonly HostFile[]>>> = {
  cloudflare: cloudflareFiles,
  'cloudflare-pages': cloudflarePagesFiles,
  'netlify-edge': netlifyEdgeFiles,
};

test.each(Object.keys(HOSTS))('the code for %s', async (name) => {
  const files = (await HOSTS[name]?.(SITE)) ?? [];
  const code = files.find(({ path }) => path.endsWith('.js'));
  const bytes = Buffer.byteLength(code?.text ?? '');
  expect(bytes).toBeGreaterThan(BYTES_MAX / 2);
  // What makes it smaller: less code, or another of our own names in queries/inner-names.js.
  expect(bytes, 'src/content/queries/inner-names.js gives our names short ones').toBeLessThan(
    BYTES_MAX,
  );
});

test('wrangler uploads the code as it is', async () => {
  const files = await cloudflareFiles(SITE);
  const settings = files.find(({ path }) => path === 'wrangler.jsonc');
  expect(settings?.text).toContain('"no_bundle": true');
});
