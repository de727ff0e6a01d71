// Rules for nginx: one file to include in a `server` block. Variants are found in the raw query and become
// part of the file's name; the path of a redirect is the raw one, so that nothing decoded reaches a header.

import {
  DOCUMENT_CACHE,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  REDIRECT_CACHE,
  SHARED_HEADERS,
} from '../../paths/headers.ts';
import {
  type AddressRule,
  ANY_ADDRESS,
  addressRules,
  checkRoot,
  HOSTILE_PATH,
  headerLines,
  isRoutable,
  prefixPattern,
  quoted,
} from '../addresses.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import { textPattern } from '../spellings.ts';

/** Throws VALIDATION for an output that the language has no name for. */
export const nginxFiles = (site: HostSite): HostFile[] => {
  checkRoot('nginx', site.output, /[$]/);
  return [{ path: 'prepress.nginx.conf', text: rules(site) }];
};

const rules = (site: HostSite): string => {
  const content = `${site.basePath}/content`;
  return `# Written by "prepress hosts write nginx". Include it in a server block:
#   include ${'/path/to/prepress.nginx.conf'};

location = ${content}/.preflight {
    internal;
${headers([...SHARED_HEADERS, ...PREFLIGHT_HEADERS])}
    return 204;
}

location = ${content}/404.json {
    root ${quoted(site.output)};
${TYPES}
${headers([...SHARED_HEADERS, ['Cache-Control', NOT_FOUND_CACHE]])}
}

${site.names
  .filter(isReachable)
  .map((name) => storedLocation(content, name))
  .join('')}
location ~ "^${prefixPattern(site.basePath)}/content/(?<prepress_path>${ANY_ADDRESS})$" {
${guard(content)}
    if ($request_method !~ "^(?:GET|HEAD)$") {
        rewrite ^ ${content}/.absent last;
    }
    if ($request_uri ~ "^(?<prepress_raw>[^?]*)") {
        set $prepress_found 1;
    }
    absolute_redirect off;
${headers([...SHARED_HEADERS, ['Cache-Control', REDIRECT_CACHE]])}
    return 301 $prepress_raw/$is_args$args;
}

${addressRules(site)
  .map((rule) => addressLocation(content, rule))
  .join('\n')}
location ~ "^(?:${site.basePath})?/ghost/api(?:/(?:v2|v3|v4|canary))?/content/" {
${guard(content)}
    rewrite "^(?:${site.basePath})?/ghost/api(?:/(?:v2|v3|v4|canary))?(/content/.*)$" ${site.basePath}$1 last;
}

location ${content}/ {
${guard(content)}
    root ${quoted(site.output)};
${TYPES}${sidecarLines(site)}
    error_page 403 404 405 =404 ${content}/404.json;
${headers([...SHARED_HEADERS, ['Cache-Control', DOCUMENT_CACHE]])}
    location ~ "/[.]" {
        return 404;
    }
}
`;
};

const TYPES = `    charset utf-8;
    charset_types application/json;`;

/** What lies compressed is sent so, also to caches in front. */
const sidecarLines = ({ encodings }: HostSite): string => {
  if (encodings.length === 0) return '';
  const gzip = encodings.includes('gzip') ? '\n    gzip_static on;' : '';
  const brotli = encodings.includes('br') ? '\n    # With ngx_brotli: brotli_static on;' : '';
  return `${gzip}${brotli}
    gzip_vary on;
    gzip_proxied any;`;
};

const headers = (list: readonly (readonly [string, string])[]): string =>
  headerLines(list, (name, value) => `    add_header ${name} "${value}" always;`);

/** What is answered before anything is looked for. */
const guard = (content: string): string => `    if ($request_method = OPTIONS) {
        rewrite ^ ${content}/.preflight last;
    }
    if ($request_uri ~ "${HOSTILE_PATH}") {
        rewrite ^ ${content}/.absent last;
    }`;

const addressLocation = (
  content: string,
  rule: AddressRule,
): string => `location ~ "^${content}/(?<prepress_path>${rule.path})/$" {
${guard(content)}
    set $prepress_variant "";
${rule.tokens.map(tokenCheck).join('')}    if ($prepress_variant = "") {
        set $prepress_variant "-index";
    }
${rule.page === null ? '' : pageCheck(rule.page)}${rule.substitutes.map(substitution).join('')}    if ($prepress_variant ~ "^-(.*)$") {
        set $prepress_variant $1;
    }
    rewrite ^ ${content}/$prepress_path/$prepress_variant.json last;
}
`;

const tokenCheck = ({ token, query }: { token: string; query: string }): string =>
  `    if ($args ~ "${query}") {
        set $prepress_variant "\${prepress_variant}-${token}";
    }
`;

const substitution = ([dropped, sent]: readonly [
  string,
  string,
]): string => `    if ($prepress_variant = "-${dropped}") {
        set $prepress_variant "-${sent}";
    }
`;

const pageCheck = (query: string): string => `    if ($args ~ "${query}") {
        set $prepress_variant "-page-$1$prepress_variant";
    }
    if ($prepress_variant ~ "^(-page-[0-9]+)-index$") {
        set $prepress_variant $1;
    }
`;

/** nginx keeps the length of a literal location in one byte. */
const LITERAL_BYTES_MAX = 255;

const storedLocation = (content: string, { resource, slug, segment }: StoredName): string => {
  const path = `${content}/${resource}/slug/${slug}/`;
  const isLong = Buffer.byteLength(path) > LITERAL_BYTES_MAX;
  const place = isLong ? `~ ${quoted(`^${textPattern(path)}$`)}` : `= ${quoted(path)}`;
  return `location ${place} {
    rewrite ^ ${content}/${resource}/slug/${segment}/ last;
}
`;
};

/** nginx tidies dot names up before rules see them, and has no way to write control characters. */
export const isReachable = ({ slug }: StoredName): boolean => isRoutable(slug);
