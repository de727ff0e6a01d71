// Redirects of the publication in the languages of hosts. Each host compares the path as it was sent, the first that fits counts, and
// the query is kept. Paths of the interface are never redirected, nor those with doubled slashes, which could name another site.
import { KEPT_FOLDERS, type Redirect } from '../../../publication/store/content/redirects.ts';
import type { HostSite } from '../host.ts';
import { dotted } from './spellings.ts';

type RedirectSite = Pick<HostSite, 'redirects' | 'basePath'>;

/** Regular expression of what a raw path begins with that is never redirected; `end` is what else ends a path. */
const keptPaths = ({ basePath }: Pick<HostSite, 'basePath'>, end = '$'): string =>
  `(?:${dotted(basePath)})?/(?:${KEPT_FOLDERS.join('|')})(?:[/?]|${end})|[^?]*(?://|\\x5c)`;

const sourceOf = ({ source }: Redirect, { basePath }: RedirectSite): string =>
  `${dotted(basePath)}${source}`;

/** Whether it has a query of its own, and the path and the fragment around the query that was sent. */
const targetOf = ({ target }: Redirect, { basePath }: RedirectSite) => ({
  path: `${target.path.startsWith('/') ? basePath : ''}${target.path}`,
  query: target.query,
  hash: target.hash,
});

/** A map of nginx from the request to the status and the target; `name` makes the names of its variables. */
export const nginxMap = (site: RedirectSite, name: (text: string) => string): string =>
  site.redirects.length === 0
    ? ''
    : `map $args $${name('and')} {
    default "&";
    "" "";
}
map "$request_method $${name('raw')}" $${name('moved')} {
    default "";
    "~^[A-Z]+ (?:${keptPaths(site)})" "";
${site.redirects
  .map((redirect) => {
    const { path, query, hash } = targetOf(redirect, site);
    const sent = query === '' ? '$is_args$args' : `${query}$${name('and')}$args`;
    return `    "~^(?:GET|HEAD) ${sourceOf(redirect, site)}$" "${redirect.status} ${path}${sent}${hash}";\n`;
  })
  .join('')}}
`;

/** The same in its server block. `absolute_redirect` stands in a location alone. */
export const nginxRedirects = (
  { redirects, basePath }: RedirectSite,
  name: (text: string) => string,
): string =>
  redirects.length === 0
    ? ''
    : `
if ($${name('moved')}) {
    rewrite ^ ${basePath}/content/.prepress-moved last;
}
location = ${basePath}/content/.prepress-moved {
    internal;
    absolute_redirect off;
${[301, 302].map((status) => `    if ($${name('moved')} ~ "^${status} (.*)$") {\n        return ${status} $1;\n    }\n`).join('')}}
`;

/** Maps and matchers of Caddy, in a site. Its own map `{snippet}_query` has the query with its sign. */
export const caddyRedirects = (site: RedirectSite, snippet: string): string => {
  if (site.redirects.length === 0) return '';
  const entries = site.redirects.map((redirect) => {
    const { path, query, hash } = targetOf(redirect, site);
    const filled = [`${path}${query}`, hash].map((text) =>
      text.replace(/\$([1-9])/g, (_, digit: string) => `\${${digit}}`),
    );
    const kind = `${redirect.status}${query === '' ? '' : 'and'}`;
    return `\t\t"~^${sourceOf(redirect, site)}(?:[?].*)?$" ${kind} ${filled.map((text) => `"${text}"`).join(' ')}\n`;
  });
  const kinds = [301, 302].flatMap((status) => [
    [`${status}`, status, 'query'],
    [`${status}and`, status, 'and'],
  ]);
  return `	map {http.request.orig_uri.query} {${snippet}_and} {
		~^(.+)$ "&\${1}"
		default ""
	}
	map {http.request.orig_uri} {${snippet}_moved} {${snippet}_to} {${snippet}_hash} {
		"~^(?:${keptPaths(site)})" no "" ""
${entries.join('')}		default no "" ""
	}
${kinds
  .map(
    ([
      kind,
      status,
      sent,
    ]) => `	@${snippet}_${kind} expression \`{${snippet}_moved} == "${kind}" && {method} in ["GET", "HEAD"]\`
	redir @${snippet}_${kind} {${snippet}_to}{${snippet}_${sent}}{${snippet}_hash} ${status}
`,
  )
  .join('')}`;
};

/** Rules of Apache's mod_rewrite; it adds the query that was sent. */
export const apacheRedirects = (site: RedirectSite): string => {
  const { redirects } = site;
  if (redirects.length === 0) return '';
  const rules = redirects.flatMap((redirect) => {
    const { path, query, hash } = targetOf(redirect, site);
    const [own = '', fragment = ''] = [`${path}${query}`, hash].map((text) =>
      text.replaceAll('%', '\\%').replace(/\$([1-9])/g, '%$1'),
    );
    const rule = (to: string, flags = ''): string =>
      `RewriteCond %{THE_REQUEST} "^(?:GET|HEAD) ${sourceOf(redirect, site)}[? ]"
RewriteRule ^ "${to}" [NE,${flags}R=${redirect.status},L]
`;
    if (hash === '') return [rule(own, 'QSA,')];
    // Apache adds the query at the end, which is no place after a fragment.
    const sent = `${query === '' ? '?' : '&'}%{QUERY_STRING}`;
    const asked = 'RewriteCond %{QUERY_STRING} .\n';
    return [`${asked}${rule(`${own}${sent}${fragment}`)}`, rule(`${own}${fragment}`)];
  });
  return `# Redirects of the publication.
RewriteCond %{THE_REQUEST} "^[A-Z]+ (?:${keptPaths(site, ' ')})"
RewriteRule ^ - [S=${rules.length}]
${rules.join('')}
`;
};

/** Routes of a Build Output for Vercel, which keeps the query. */
export const vercelRedirects = (site: RedirectSite) =>
  site.redirects.map((redirect) => {
    const { path, query, hash } = targetOf(redirect, site);
    return {
      src: `^(?!${keptPaths(site)})${sourceOf(redirect, site)}$`,
      methods: ['GET', 'HEAD'],
      status: redirect.status,
      headers: { Location: `${path}${query}${hash}` },
    };
  });
