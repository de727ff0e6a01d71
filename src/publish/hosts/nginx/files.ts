// Rules for nginx: maps for its `http` block and locations for a `server` block. What is found becomes the name of a file; the
// path of a redirect is the raw one.
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { GUARDED_FOLDERS } from '../../../content/paths/files.ts';
import {
  MEDIA_POLICY,
  preflightHeaders,
  SHARED_HEADERS,
  STALE_HEADER,
} from '../../../content/paths/headers.ts';
import type { HostFile, HostSite } from '../host.ts';
import { checkRoot, headerLines, isRoutable, quoted } from '../rules/addresses.ts';
import {
  ANSWER_SECONDS,
  AWAY_BODY,
  CONNECT_SECONDS,
  companionOf,
  OTHER_QUERY_BODY,
} from '../rules/other-queries.ts';
import { nginxRedirects } from '../rules/redirects.ts';
import { aliasLocations, shieldLines } from './aliases.ts';
import { httpRules } from './http-rules.ts';
import { isShort, storedFolder } from './names.ts';
import { type NameVariable, type NginxCode, variablesOf } from './variables.ts';

export const HTTP_FILE = 'prepress.nginx-http.conf';
export const SERVER_FILE = 'prepress.nginx.conf';

/** Throws VALIDATION for an output that the language has no name for. */
export const nginxFiles = (site: HostSite, code: NginxCode | null = null): HostFile[] => {
  checkRoot('nginx', site.root, /[$]/);
  return [
    { path: HTTP_FILE, text: httpRules(site, code) },
    { path: SERVER_FILE, text: serverRules(site, code) },
  ];
};

const serverRules = (site: HostSite, code: NginxCode | null): string => {
  const name = variablesOf(site);
  const content = `${site.basePath}/content`;
  const others = code === null ? otherQueryRules(site, name, content) : codeRules(name);
  return `# Written by "prepress hosts write nginx". Include it in a server block, and ${HTTP_FILE} in the
# http block.
${nginxRedirects(site, name)}
${placesOf(site, content)
  .map(
    ({ place, isTree }) => `location ^~ ${place} {
${site.isShield ? '    internal;\n' : ''}${refusedLines(name)}${others.lines}    root ${quoted(site.root)};
    try_files $${name('file')} $${name('original')} @${name('absent')};
${TYPES}${isTree ? sidecarLines(site) : ''}${site.isShared ? NO_VALIDATORS : ''}
${answerLines(content, name)}
}
`,
  )
  .join(
    '',
  )}${others.location}${site.isShield ? noneLocation(content, name) : pageLocation(site, content, name)}

location @${name('absent')} {
    if ($${name('slashless')}) {
        return 301 $${name('raw')}/$is_args$args;
    }
${others.absentLines}${answerLines(content, name)}
    return 404;
}

location = ${content}/.prepress-absent {
    internal;
    root ${quoted(site.root)};
    try_files ${content}/404.json =404;
    etag off;
    add_header Last-Modified "";
${TYPES}
${answerHeaders(name)}
}

location = ${content}/.prepress-home {
    internal;
    default_type text/html;
    charset utf-8;
    return 200 '${homePage(content)}';
}

location = ${content}/.prepress-redirect {
    internal;
    default_type "";
    absolute_redirect off;
${answerHeaders(name)}
    return 200 "";
}

# A range beyond the end: the answer has its headers by then, and is given none of the server's, either.
location = ${content}/.prepress-range {
    internal;
    default_type "";
    expires off;
    add_header Vary "";
    return 416 "";
}

${site.isShield ? shieldLines(site, content, name) : aliasLocations(site, content)}${site.names
  .filter((one) => isRoutable(one) && isShort(site, one))
  .map(
    (one) => `
location = ${quoted(storedFolder(site, one, one.slug))} {
    rewrite ^ ${storedFolder(site, one, one.segment)} last;
}
`,
  )
  .join('')}`;
};

/** Of a shield in the server block of a Ghost, what else lies there is Ghost's: pictures, pages and the explicit names. */
const placesOf = ({ isShield, encodings }: HostSite, content: string): Place[] => {
  if (isShield)
    return GUARDED_FOLDERS.map((folder) => ({ place: `${content}/${folder}`, isTree: true }));
  const media = encodings.length === 0 ? [] : ['images', 'media', 'files'];
  return [
    { place: `${content}/`, isTree: true },
    ...media.map((folder) => ({ place: `${content}/${folder}/`, isTree: false })),
  ];
};

/** `isTree`: what lies compressed there is ours; beside an editor's file, an archive is one. */
type Place = { readonly place: string; readonly isTree: boolean };

/** The page about the interface, where there is one. */
const pageLocation = (site: HostSite, content: string, name: NameVariable): string => `
location = ${content}/ {
${refusedLines(name)}    root ${quoted(site.root)};
    try_files ${content}/index.html @${name('absent')};
    types { }
    default_type text/html;
    charset utf-8;
${answerLines(content, name)}
}
`;

/** What is asked of a shield and has no file. */
const noneLocation = (content: string, name: NameVariable): string => `
location = ${content}/.none {
    internal;
${refusedLines(name)}${answerLines(content, name)}
    return 404;
}
`;

/** For a server block without a home page of its own. */
const homePage = (content: string): string =>
  `<!DOCTYPE html><html lang="en"><title>Content</title><h1>Content</h1><p>This address publishes content as JSON: ${RESOURCES.map((name) => `<a href="${content}/${name}/">${name}</a>`).join(', ')} and <a href="${content}/settings/">settings</a>.</p></html>`;

/** Preflights, and what is refused whatever its address. */
const refusedLines = (name: NameVariable): string => `    if ($${name('refusal')} = 204) {
${headers([...SHARED_HEADERS, ...preflightHeaders('$http_access_control_request_headers')], '        ')}
        add_header Deprecation $${name('deprecation')} always;
        return 204;
    }
    if ($${name('refusal')}) {
        return 404;
    }
`;

/** A status that nothing else here has. */
const OTHER_QUERY_STATUS = 418;

/** What is done with queries that have no file. */
type OtherQueries = {
  readonly lines: string;
  readonly location: string;
  /** For addresses whose file is not there. */
  readonly absentLines: string;
};

const passOn = (condition: string, name: NameVariable): string =>
  `    error_page ${OTHER_QUERY_STATUS} = @${name('other')};
    if ($${name(condition)}) {
        return ${OTHER_QUERY_STATUS};
    }
`;

const locationOf = (name: NameVariable, lines: string): string => `
location @${name('other')} {
${lines}
}
`;

const codeRules = (name: NameVariable): OtherQueries => ({
  lines: passOn('coded', name),
  location: locationOf(
    name,
    `    default_type "";
${answerHeaders(name)}
    js_content ${name('code')}.answer;`,
  ),
  absentLines: passOn('fileless', name),
});

const otherQueryRules = (site: HostSite, name: NameVariable, content: string): OtherQueries => {
  if (site.queries.otherQueries === 'ignore') return { lines: '', location: '', absentLines: '' };
  const companion = companionOf(site);
  const lines =
    companion === null
      ? `    default_type application/json;
${TYPES}
${answerHeaders(name)}
    return 400 '${OTHER_QUERY_BODY}';`
      : `    rewrite "(?s)^${content}(/.*)$" ${companion.content}$1 break;
    proxy_pass ${companion.origin};
    proxy_set_header Host $proxy_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header ${STALE_HEADER} "${site.queries.staleSeconds} nginx $msec";
    proxy_ssl_server_name on;
    proxy_connect_timeout ${CONNECT_SECONDS}s;
    proxy_read_timeout ${ANSWER_SECONDS}s;
    # Each is asked for again, and costs the server little while it is unchanged.
    proxy_cache ${name('answers')};
    proxy_cache_key $scheme$host$request_uri;
    proxy_cache_revalidate on;
    proxy_cache_lock on;
    proxy_hide_header Cache-Control;
    proxy_hide_header Expires;
    add_header Cache-Control $${name('passed')} always;
    error_page 500 502 503 504 =503 @${name('away')};`;
  if (companion === null)
    return { lines: passOn('other', name), location: locationOf(name, lines), absentLines: '' };
  const recursive = '    recursive_error_pages on;\n';
  return {
    lines: recursive + passOn('other', name),
    location: locationOf(name, lines) + awayLocation(name),
    absentLines: recursive + passOn('fileless', name),
  };
};

/** Nothing that was kept answers. */
const awayLocation = (name: NameVariable): string => `
location @${name('away')} {
    default_type application/json;
${TYPES}
${answerHeaders(name)}
    add_header Retry-After 1 always;
    return 503 '${AWAY_BODY}';
}
`;

const TYPES = `    charset utf-8;
    charset_types application/json text/plain;`;

/** Another machine has the same bytes at another time, or others at the same. */
const NO_VALIDATORS = `
    etag off;
    if_modified_since off;
    add_header Last-Modified "";`;

const answerHeaders = (name: NameVariable): string => `    expires off;
${headers(SHARED_HEADERS)}
    add_header Cache-Control $${name('cache')} always;
    add_header ${MEDIA_POLICY[0]} $${name('policy')} always;
    add_header Deprecation $${name('deprecation')} always;`;

const answerLines = (
  content: string,
  name: NameVariable,
): string => `    error_page 301 =301 ${content}/.prepress-redirect;
    error_page 403 404 405 =404 ${content}/.prepress-absent;
    error_page 416 =416 ${content}/.prepress-range;
${answerHeaders(name)}`;

const headers = (list: readonly (readonly [string, string])[], indent = '    '): string =>
  headerLines(list, (name, value) => `${indent}add_header ${name} "${value}" always;`);

/** What lies compressed is sent so, also to caches in front. */
const sidecarLines = ({ encodings }: HostSite): string => {
  if (encodings.length === 0) return '';
  const gzip = encodings.includes('gzip') ? '\n    gzip_static on;' : '';
  const brotli = encodings.includes('br') ? '\n    # With ngx_brotli: brotli_static on;' : '';
  return `${gzip}${brotli}
    gzip_vary on;
    gzip_proxied any;`;
};
