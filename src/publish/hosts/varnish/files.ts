// Rules for Varnish in front of any server of the files. The request is rewritten to its file before it is
// looked up, so that all spellings of a query share one object.
import { ANY_VERSION } from '../../../content/paths/content-path.ts';
import { SIZED } from '../../../content/paths/files.ts';
import {
  BINARY_TYPE,
  BLOB_CACHE,
  DOCUMENT_CACHE,
  deprecation,
  JSON_TYPE,
  MEDIA_FOLDERS,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  preflightHeaders,
  REDIRECT_CACHE,
  REFUSED_CACHE,
  SHARED_HEADERS,
  STALE_HEADER,
  TEXT_TYPE,
} from '../../../content/paths/headers.ts';
import { problemBody } from '../../../content/paths/problem-body.ts';
import { FILES_ASK_FOR_KEY, FILES_AWAY } from '../../../content/paths/problems.ts';
import { NOT_FOUND_BODY } from '../../build/lists/fixed-documents.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import {
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  blobName,
  CONTENT_FOLDER,
  HOSTILE_PATH,
  headerLines,
  isRoutable,
  prefixPattern,
  UNTIDY,
} from '../rules/addresses.ts';
import { OTHER_QUERY_BODY } from '../rules/other-queries.ts';
import { placeId } from '../rules/publication-name.ts';
import { dotted, exactly, nameOf, rawSlugSpellings } from '../rules/spellings.ts';
import {
  addressRule,
  companionBackend,
  inOneGo,
  longQueryRule,
  waitLines,
  withPlainCompanion,
} from './address-rules.ts';
import { passedQueries } from './passed-queries.ts';

export const RULES_FILE = 'prepress.vcl';

export const varnishFiles = (site: HostSite): HostFile[] => [
  { path: RULES_FILE, text: rules(withPlainCompanion(site)) },
];

/** Parameters that make the name of a file. */
const READ = ['include', 'filter', 'page', 'limit', 'order', 'fields', 'formats'];

const rules = (site: HostSite): string => {
  const prefix = prefixPattern(site);
  const passed = passedQueries(site);
  const content = `${site.basePath}/content`;
  const base = dotted(site.basePath);
  return `# Written by "prepress hosts write varnish".
vcl 4.1;

backend prepress_${placeId(site)}_files {
    .host = "${site.origin.host}";
    .port = "${site.origin.port}";
${waitLines}}
${companionBackend(site)}
# Who may send PURGE: programs of this machine, unless they pass on what others sent.
acl prepress_${placeId(site)}_purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
${passed.request}    if (req.restarts == 0) {
        unset req.http.X-Prepress-Older;
        unset req.http.${STALE_HEADER};
        unset req.http.X-Prepress-Passed;
        unset req.http.X-Prepress-Version;
    }
    unset req.http.X-Prepress;
    unset req.http.X-Prepress-Signature;
    set req.http.X-Prepress-Query = regsub(req.url, "^[^?]*[?]?", "&");
    set req.http.X-Prepress-Asked = regsub(req.url, "^[^?]*", "");
    # Whatever the server behind takes for the folder of the interface is one.
    set req.http.X-Prepress-Path = regsub(regsub(req.url, "[?].*$", ""), "^${spelled(content)}(?=/|$)", "${content}");
    if (req.http.X-Prepress-Path ~ "^${prefix}/content(?:/|$)" || (req.http.X-Prepress-Path ~ "${UNTIDY}" && req.http.X-Prepress-Path ~ "(?:/|%2[fF])${CONTENT_FOLDER}") || req.http.X-Prepress-Path ~ "^(?:${base})?/ghost/api/[*]$") {
        set req.http.X-Prepress = "${placeId(site)}";
        set req.backend_hint = prepress_${placeId(site)}_files;
        unset req.http.Cookie;
        unset req.http.Accept-Version;
        if (req.http.X-Prepress-Path ~ "^(?:${base})?/ghost/api/(?:${ANY_VERSION})/content(?:/|$)") {
            set req.http.X-Prepress-Version = regsub(req.http.X-Prepress-Path, "^.*?/ghost/api/([^/]+)/.*$", "\\1");
        }
        if (req.method == "OPTIONS") {
            return (synth(204));
        }
        if (req.method == "PURGE") {
            if (client.ip !~ prepress_${placeId(site)}_purgers || req.http.X-Forwarded-For ~ ",") {
                return (synth(404));
            }
            if (req.http.X-Prepress-Path ~ "^${prefix}/content/[*]$" || req.http.X-Prepress-Path ~ "^(?:${base})?/ghost/api/[*]$") {
                ban("obj.http.X-Prepress-File ~ .");
                return (synth(200));
            }
        } elsif (req.method != "GET" && req.method != "HEAD") {
            return (synth(404));
        }
        if (req.http.X-Prepress-Path ~ "${HOSTILE_PATH.replace('^[^?]*', '')}") {
            return (synth(404));
        }
        if (req.http.X-Prepress-Path ~ "^${prefix}/content/${inOneGo(ANY_ADDRESS)}$") {
            return (synth(301));
        }
        # Of the query only what makes a name, in one spelling: what is left is short, or nobody's.
        set req.http.X-Prepress-Query = regsuball(req.http.X-Prepress-Query, "&(?!(?:${READ.map(nameOf).join('|')})(?:[=&]|$))[^&]*", "");
        # Between quotation marks space has a meaning.
        if (req.http.X-Prepress-Query !~ "'|%27") {
            set req.http.X-Prepress-Query = regsuball(req.http.X-Prepress-Query, "(?:[+]|%20)+", "+");
        }
        set req.url = regsub(req.http.X-Prepress-Path, "^${prefix}/content(?:/|$)", "${content}/");
${longQueryRule(site, content)}${site.names
  .filter(isRoutable)
  .map((name) => storedRule(content, name))
  .join('')}${addressRules(site)
  .map((rule) => addressRule(site, rule))
  .join('')}        if (req.http.X-Prepress-Path == "${content}/") {
            # The page about the interface, where there is one.
            set req.url = "${content}/index.html";
        }
        if (req.url ~ "/(?:$|[.]|%2[eE])") {
            return (synth(404));
        }
        if (req.method == "PURGE") {
            ban("obj.http.X-Prepress-File == " + req.url);
            return (synth(200));
        }
        if (!req.http.X-Prepress-Older) {
            # Only when the server does not answer is something older than this sent.
            set req.grace = 0s;
        } else {
            set req.grace = 1h;
        }
        return (hash);
    }
}

${passed.miss}sub vcl_backend_response {
${passed.response}    if (bereq.http.X-Prepress == "${placeId(site)}") {
        if (beresp.status >= 500) {
            return (abandon);
        }
        if ((beresp.status == 401 || beresp.status == 403) && beresp.http.Content-Type ~ "json") {
            # A server that asks for the content key, which no cached document could.
            set beresp.uncacheable = true;
            return (deliver);
        }
        set beresp.do_stream = true;
        set beresp.http.X-Prepress-File = bereq.url;
        set beresp.ttl = 10s;
        set beresp.grace = 0s;
        if (beresp.status == 200) {
            # Asked for again by readers each time, and by this cache every ten seconds.
            set beresp.grace = 1h;
            set beresp.keep = 24h;
            set beresp.http.Cache-Control = "${DOCUMENT_CACHE}";
            if (bereq.url ~ "[.]json$") {
                set beresp.http.Content-Type = "${JSON_TYPE}";
            } elsif (bereq.url ~ "^${content}/packed/${blobName(ANY_BLOB)}$") {
                set beresp.http.Cache-Control = "${BLOB_CACHE}";
                if (bereq.url ~ "t$") {
                    set beresp.http.Content-Type = "${TEXT_TYPE}";
                } else {
                    set beresp.http.Content-Type = "${BINARY_TYPE}";
                }
            }
        } elsif (bereq.http.If-None-Match || bereq.http.If-Modified-Since) {
            # It was there before: not to be sent again, whether or not the server answers.
            ban("obj.http.X-Prepress-File == " + bereq.url + " && obj.status == 200");
        }
    }
}

sub vcl_backend_error {
    if (bereq.http.X-Prepress == "${placeId(site)}" || bereq.http.X-Prepress-Passed == "${placeId(site)}") {
        return (abandon);
    }
}

sub vcl_deliver {
${passed.delivery}    if (req.http.X-Prepress == "${placeId(site)}") {
        unset resp.http.X-Prepress-File;
        if ((resp.status == 401 || resp.status == 403) && resp.http.Content-Type ~ "json") {
            return (synth(502));
        }
        if (resp.status == 404 && req.url ~ "^${content}/${SIZED}." && req.restarts == 0) {
            # A picture in a size that is not there is sent as it is.
            set req.url = regsub(req.url, "^${content}/${SIZED}", "${content}/images/");
            return (restart);
        }
        # Nor is a redirect of the server behind, to its own address.
        if (resp.status >= 300 && resp.status < 500 && resp.status != 304 && resp.status != 412 && resp.status != 416) {
            return (synth(404));
        }
        set req.http.X-Prepress-Vary = resp.http.Vary;
${setHeaders('resp', SHARED_HEADERS)}
        if (req.url ~ "^${content}/${MEDIA_FOLDERS}") {
${setHeaders('resp', [MEDIA_POLICY], '            ')}
        }
        if (req.http.X-Prepress-Vary ~ "(?i)accept-encoding") {
            set resp.http.Vary = resp.http.Vary + ", Accept-Encoding";
        }
${setDeprecation}
    }
}

sub vcl_synth {
    if (req.http.X-Prepress == "${placeId(site)}" || req.http.X-Prepress-Passed == "${placeId(site)}") {
        if (resp.status == 503 && !req.http.X-Prepress-Older) {
            set req.http.X-Prepress-Older = "1";
            return (restart);
        }
${setHeaders('resp', SHARED_HEADERS)}
${setDeprecation}
        if (resp.status == 204) {
${setHeaders('resp', preflightHeaders('" + req.http.Access-Control-Request-Headers + "'), '            ')}
            synthetic("");
        } elsif (resp.status == 301) {
            set resp.http.Location = regsub(req.url, "^([^?]*)", "\\1/");
            set resp.http.Cache-Control = "${REDIRECT_CACHE}";
            synthetic("");
        } elsif (resp.status == 200) {
            synthetic("");
        } elsif (resp.status == 502) {
            set resp.http.Content-Type = "${JSON_TYPE}";
            set resp.http.Cache-Control = "${REFUSED_CACHE}";
            synthetic({"${problemBody(FILES_ASK_FOR_KEY)}"});
        } elsif (resp.status >= 500) {
            set resp.http.Content-Type = "${JSON_TYPE}";
            set resp.http.Cache-Control = "${REFUSED_CACHE}";
            synthetic({"${problemBody(FILES_AWAY)}"});
        } elsif (resp.status == 400) {
            set resp.http.Content-Type = "${JSON_TYPE}";
            set resp.http.Cache-Control = "${REFUSED_CACHE}";
            synthetic({"${OTHER_QUERY_BODY}"});
        } else {
            set resp.http.Content-Type = "${JSON_TYPE}";
            set resp.http.Cache-Control = "${NOT_FOUND_CACHE}";
            synthetic({"${NOT_FOUND_BODY.toString()}"});
        }
        return (deliver);
    }
}
`;
};

const spelled = (path: string): string => path.split('/').map(exactly).join('/');

const [DEPRECATION, DEPRECATION_VALUE] = deprecation('@');

const setDeprecation = `        if (req.http.X-Prepress-Version) {
            set resp.http.${DEPRECATION} = {"${DEPRECATION_VALUE.replace('@', '"} + req.http.X-Prepress-Version + {"')}"};
        }`;

const setHeaders = (
  target: string,
  list: readonly (readonly [string, string])[],
  indent = '        ',
): string =>
  headerLines(list, (name, value) => `${indent}set ${target}.http.${name} = "${value}";`);

const storedRule = (content: string, { resource, slug, segment }: StoredName): string => {
  const folder = `${content}/${resource}/slug/`;
  return `        if (req.url ~ "^${folder}${rawSlugSpellings(slug)}/$") {
            set req.url = "${folder}${encodeURIComponent(segment)}/";
        }
`;
};
