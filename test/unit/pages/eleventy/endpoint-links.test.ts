import { describe, expect, it } from 'vitest';
import { type Resource, SHAPES } from '../../../../src/content/paths/endpoints.ts';
import { resolve } from '../../../../src/content/paths/resolve.ts';
import { listEndpoints } from '../../../../src/pages/eleventy/endpoint-links.ts';

const ID = '0123456789abcdef01234567';
const options = {
  basePath: '/blog',
  findExample: () => ({ id: ID, slug: 'größe?&#"' }),
};

const filesOf = (resource: Resource | 'settings'): string[] =>
  listEndpoints(options)
    .filter((endpoint) => endpoint.resource === resource)
    .flatMap(({ links }) => links)
    .map(({ href }) => {
      const [path = '', query = ''] = href.split('?');
      const found = resolve(path, query, { basePath: '/blog', storedSegment: () => '~stored' });
      return found?.kind === 'file' ? found.file : `nothing at ${href}`;
    });

describe('the links of all endpoints', () => {
  it.each(['posts', 'pages', 'tags', 'authors'] as const)('reach every variant of %s', (name) => {
    const { listVariants, recordVariants } = SHAPES[name];
    expect(filesOf(name).toSorted()).toEqual(
      [
        ...listVariants.map((variant) => `${name}/${variant.name}.json`),
        ...recordVariants.map((variant) => `${name}/${ID}/${variant}.json`),
        ...recordVariants.map((variant) => `${name}/slug/~stored/${variant}.json`),
      ].toSorted(),
    );
  });

  it('reach the settings', () => {
    expect(filesOf('settings')).toEqual(['settings/index.json']);
  });

  it('leave out records where there are none', () => {
    const empty = listEndpoints({ basePath: '', findExample: () => null });
    expect(empty.filter(({ links }) => links.length === 0)).toHaveLength(8);
    expect(empty[0]?.links[3]).toEqual({
      path: '/content/posts/',
      query: '?include=authors,tags',
      href: '/content/posts/?include=authors,tags',
    });
  });
});
