// Rules for Caddy: a snippet to import into a site. Variants are found in the raw query and become part of
// the file's name; the path of a redirect is the raw one.
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
  SHARED_HEADERS,
  VARY,
} from '../../../content/paths/headers.ts';
import type { HostFile, HostSite } from '../host.ts';
import {
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  blobName,
  CONTENT_FOLDER,
  checkRoot,
  HOSTILE_PATH,
  headerLines,
  isRoutable,
  prefixPattern,
  quoted,
  storedAddresses,
  UNTIDY,
} from '../rules/addresses.ts';
import { caddyRedirects } from '../rules/redirects.ts';
import { decodedBelowApi, plainAdmin } from '../rules/shield.ts';
import {
  addressHandle,
  awayHandle,
  entryMap,
  onPath,
  questionMaps,
  snippetOf,
  storedHandle,
} from './address-handles.ts';

export const RULES_FILE = 'prepress.caddy';

/** Throws VALIDATION for an output that the language has no name for. */
export const caddyFiles = (site: HostSite): HostFile[] => {
  checkRoot('Caddy', site.root, /[{}]/);
  return [{ path: RULES_FILE, text: rules(site) }];
};

const rules = (site: HostSite): string => {
  const prefix = prefixPattern(site);
  const content = `${site.basePath}/content`;
  const snippet = snippetOf(site);
  const deprecated = deprecation(`{re.${snippet}_version.1}`);
  const addresses = addressRules(site);
  const storedHandles = storedAddresses(addresses, site.names.filter(isRoutable))
    .map(({ rule, name }) => storedHandle({ site, prefix, rule }, name))
    .join('');
  return `# Written by "prepress hosts write caddy". In the Caddyfile, outside of sites:
#   import /path/to/prepress.caddy
# and within a site, before its other handlers:
#   import ${snippet}

(${snippet}) {
	map {http.request.orig_uri} {${snippet}_raw} {${snippet}_query} {
		~^([^?]*)(.*)$ "\${1}" "\${2}"
	}
	map {http.request.orig_uri} {${snippet}_hostile} {
		"~${HOSTILE_PATH}" yes
		default no
	}
	map {http.request.orig_uri.path} {${snippet}_cache} {
		"~^${prefix}/content/packed/${blobName(ANY_BLOB)}$" "${BLOB_CACHE}"
		default "${DOCUMENT_CACHE}"
	}
${caddyRedirects(site, snippet)}${questionMaps(addresses, snippet)}${addresses.map((rule) => entryMap(rule, snippet)).join('')}${matcherLines(site, snippet, prefix)}	handle @${snippet} {
		root * ${quoted(site.root)}
		header {
${sharedHeaders(site)}
		}
		@${snippet}_version ${onPath(`${snippet}_version`, `^(?:${site.basePath})?/ghost/api/(${ANY_VERSION})/content(?:/|$)`)}
		header @${snippet}_version ${deprecated[0]} ${quoted(deprecated[1])}
		@${snippet}_preflight method OPTIONS
		handle @${snippet}_preflight {
			header {
${headers(preflightHeaders('{header.Access-Control-Request-Headers}'))}
			}
			respond 204
		}
		@${snippet}_refused expression \`{${snippet}_hostile} == "yes" || !({method} in ["GET", "HEAD"])\`
		handle @${snippet}_refused {
			import ${snippet}_absent
		}
		@${snippet}_redirect ${onPath(`${snippet}_redirect`, `^${prefix}/content/${ANY_ADDRESS}$`)}
		handle @${snippet}_redirect {
			header Cache-Control "${REDIRECT_CACHE}"
			redir {${snippet}_raw}/{${snippet}_query} 301
		}
${storedHandles}${addresses.map((rule) => addressHandle({ site, prefix, rule })).join('')}		@${snippet}_page {
			${onPath(`${snippet}_page`, `^${prefix}/content/$`)}
			file {
				root ${quoted(site.root)}
				try_files ${content}/index.html
			}
		}
		handle @${snippet}_page {
			rewrite * ${content}/index.html
			import ${snippet}_file
		}
		@${snippet}_plain ${onPath(`${snippet}_plain`, `^${prefix}/content/((?:[^/.][^/]*/)*[^/.][^/]*)$`)}
		handle @${snippet}_plain {
			@${snippet}_media ${onPath(`${snippet}_media`, `^${prefix}/content/${MEDIA_FOLDERS}`)}
			header @${snippet}_media ${MEDIA_POLICY[0]} ${quoted(MEDIA_POLICY[1])}
			# Beside an editor's file, an archive is no compressed form of it.
			request_header @${snippet}_media -Accept-Encoding
			@${snippet}_json ${onPath(`${snippet}_json`, '[.]json$')}
			header @${snippet}_json Content-Type "${JSON_TYPE}"
			@${snippet}_columns ${onPath(`${snippet}_columns`, '[.]bin$')}
			header @${snippet}_columns Content-Type "${BINARY_TYPE}"
			@${snippet}_size {
				${onPath(`${snippet}_size`, `^${prefix}/content/${SIZED}(.+)$`)}
				not file {
					root ${quoted(site.root)}
					try_files ${content}/{re.${snippet}_plain.1}
				}
			}
			route {
				rewrite * ${content}/{re.${snippet}_plain.1}
				rewrite @${snippet}_size ${content}/images/{re.${snippet}_size.1}
			}
			import ${snippet}_file
		}
		handle {
			import ${snippet}_absent
		}
	}
	# Of names that are too long for the disk, and files that may not be read.
	handle_errors {
${awayHandle(site)}		@${snippet}_failed ${onPath(`${snippet}_failed`, `^${prefix}/content/`)}
		handle @${snippet}_failed {
			root * ${quoted(site.root)}
			header {
${headers(SHARED_HEADERS)}
			}
			import ${snippet}_absent
		}
	}
}

(${snippet}_file) {
	route {
${site.isShared ? NO_VALIDATORS : ''}		header Cache-Control {${snippet}_cache}
		file_server {
			pass_thru
			# A slug may be called as a file is, which is no reason to redirect.
			disable_canonical_uris
${site.encodings.length === 0 ? '' : `			precompressed ${site.encodings.join(' ')}\n`}		}
		import ${snippet}_absent
	}
}

(${snippet}_absent) {
	route {
		header {
			Content-Type "${JSON_TYPE}"
			Cache-Control "${NOT_FOUND_CACHE}"
			-${MEDIA_POLICY[0]}
			-Etag
			-Last-Modified
		}
		# No condition or range makes something else of it.
		request_header -If-*
		request_header -Range
		rewrite * ${content}/404.json
		file_server {
			status 404
		}
	}
}
`;
};

/** Another machine has the same bytes at another time, or others at the same. */
const NO_VALIDATORS = `		request_header -If-*
		header {
			-Etag
			-Last-Modified
		}
`;

/** What is ours: of a shield all that Ghost could take for its content interface. */
const matcherLines = (site: HostSite, snippet: string, prefix: string): string =>
  site.isShield
    ? `	map {http.request.orig_uri.path} {${snippet}_below} {
		"~${decodedBelowApi(site)}" yes
		default no
	}
	map {http.request.orig_uri} {${snippet}_admin} {
		"~${plainAdmin(site)}" yes
		default no
	}
	@${snippet} expression \`{${snippet}_below} == "yes" && ({${snippet}_admin} == "no" || {${snippet}_hostile} == "yes")\`
`
    : `	@${snippet} ${onPath(snippet, `^${prefix}/content(?:/.*)?$|${UNTIDY}(?:.*/)?${CONTENT_FOLDER}`)}
`;

/** Caddy says itself that an answer varies, but only where it is compressed: this is said when it has spoken. */
const sharedHeaders = ({ encodings }: HostSite): string => {
  if (encodings.length === 0) return headers(SHARED_HEADERS);
  const others = SHARED_HEADERS.filter((header) => header !== VARY);
  return `${headers([...others, [VARY[0], `${VARY[1]}, Accept-Encoding`]])}\n\t\t\t\tdefer`;
};

const headers = (list: readonly (readonly [string, string])[]): string =>
  headerLines(list, (name, value) => `\t\t\t\t${name} "${value}"`);
