// The part of nginx's rules that brings what Ghost's clients ask for to the addresses, and keeps it from a Ghost.
import { ANY_VERSION, GHOST_PREFIXES } from '../../../content/paths/content-path.ts';
import { GUARDED_FOLDERS } from '../../../content/paths/files.ts';
import type { HostSite } from '../host.ts';
import { quoted } from '../rules/addresses.ts';
import { dotted } from '../rules/spellings.ts';
import type { NameVariable } from './variables.ts';

const ANY_ALIAS = `/ghost/api(?:/(?:${ANY_VERSION}))?`;

/**
 * Before any location is looked for, those of the owner too. nginx asks again when it has turned to a page of ours, which
 * is left then.
 */
export const shieldLines = (
  { basePath }: HostSite,
  content: string,
  name: NameVariable,
): string => {
  const shielded = `(?:${GUARDED_FOLDERS.join('|')})`;
  const own = `${shielded}|[.](?:none|prepress-(?:absent|range|redirect))$`;
  return `
# What Ghost could take for its content interface, in any spelling, never gets there.
if ($${name('shielded')}) {
    rewrite "(?s)^${dotted(basePath)}${ANY_ALIAS}/content(/${shielded}.*)$" ${content}$1 last;
    rewrite "(?s)^(?!${content}/(?:${own}))" ${content}/.none last;
}
`;
};

/**
 * Of the addresses that Ghost's clients ask for, the ones that lead elsewhere. Those at the root may be another publication's
 * of the same server block, so below a base path their location is a pattern: it gives way, and may stand there twice.
 */
export const aliasLocations = ({ basePath }: HostSite, content: string): string => {
  const own = GHOST_PREFIXES.map((alias) => `${basePath}${alias}`).filter(
    (alias) => alias !== basePath,
  );
  return [
    noneRewrite(content, content),
    ...own.map((alias) => aliasLocation(content, alias)),
    ...(basePath === '' ? [] : [rootAlias(content)]),
  ].join('');
};

const noneRewrite = (content: string, path: string): string => `location = ${path} {
    rewrite ^ ${content}/.none last;
}
`;

const aliasLocation = (content: string, alias: string): string => `
${noneRewrite(content, `${alias}/content`)}location ^~ ${alias}/content/ {
${rewriteLine(content, dotted(alias))}}
`;

const rootAlias = (content: string): string => `
location ~ ${quoted(`(?s)^${ANY_ALIAS}/content(?:/|$)`)} {
${rewriteLine(content, ANY_ALIAS)}    rewrite ^ ${content}/.none last;
}
`;

const rewriteLine = (content: string, alias: string): string =>
  `    rewrite "(?s)^${alias}/content(/.*)$" ${content}$1 last;\n`;
