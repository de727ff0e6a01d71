// Rules for GitLab Pages: a `_redirects` that shows each address one variant, since rules there see no query.
// Paths are answered with the JSON file itself, so that its type is right.
import { GHOST_PREFIXES } from '../../../content/paths/content-path.ts';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { FIXED_FILES, listFile } from '../../../content/paths/files.ts';
import type { HostFile, HostSite } from '../host.ts';
import { isReachable, sizeLines } from '../netlify/files.ts';
import { defaultList, defaultRecord } from '../plain-files/copies.ts';

export const gitlabPagesFiles = (site: HostSite): HostFile[] => [
  { path: '_redirects', text: redirects(site) },
];

const redirects = (site: HostSite): string => {
  const content = `${site.basePath}/content`;
  const lines = [...new Set([site.basePath, ...GHOST_PREFIXES])].flatMap((prefix) => [
    ...addresses(site, `${prefix}/content`),
    ...sizeLines(`${prefix}/content`, content),
    ...(prefix === site.basePath ? [] : [`${prefix}/content/* ${content}/:splat 200`]),
  ]);
  return `# Written by "prepress hosts write gitlab-pages".\n${lines.join('\n')}\n`;
};

const addresses = (site: HostSite, from: string): string[] => {
  const content = `${site.basePath}/content`;
  const named = site.names
    .filter(isReachable)
    .map(
      ({ resource, slug, segment }) =>
        `${from}/${resource}/slug/${encodeURIComponent(slug)}/ ${content}/${resource}/slug/${encodeURIComponent(segment)}/${defaultRecord(site, resource)}.json 200`,
    );
  const records = RESOURCES.flatMap((resource) => {
    const variant = defaultRecord(site, resource);
    return [`${resource}/slug/:slug`, `${resource}/:id`].map(
      (path) => `${from}/${path}/ ${content}/${path}/${variant}.json 200`,
    );
  });
  const lists = RESOURCES.map(
    (resource) =>
      `${from}/${resource}/ ${content}/${listFile(resource, defaultList(site, resource))} 200`,
  );
  const others = FIXED_FILES.map(
    (file) => `${from}/${file.replace(/index\.json$/, '')} ${content}/${file} 200`,
  );
  return [...others, ...lists, ...named, ...records];
};
