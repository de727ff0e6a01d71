// Rules for Caddy: a snippet to import into a site. Variants are found in the raw query and become part of
// the file's name; the path of a redirect is the raw one.

import { SIZED } from '../../paths/files.ts';
import {
  BINARY_TYPE,
  BLOB_CACHE,
  DOCUMENT_CACHE,
  deprecation,
  JSON_TYPE,
  MEDIA_FOLDERS,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  REDIRECT_CACHE,
  REFUSED_CACHE,
  SHARED_HEADERS,
  VARY,
} from '../../paths/headers.ts';
import { hashedSegment } from '../../paths/segments.ts';
import {
  type AddressRule,
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  allQuestions,
  blobName,
  casePattern,
  checkRoot,
  HOSTILE_PATH,
  headerLines,
  isRoutable,
  prefixPattern,
  quoted,
  storedAddresses,
  withGroups,
} from '../addresses.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import { companionOf, OTHER_QUERY_BODY } from '../other-queries.ts';
import { placeId } from '../publication-name.ts';
import { textPattern } from '../spellings.ts';

export const RULES_FILE = 'prepress.caddy';

/** Throws VALIDATION for an output that the language has no name for. */
export const caddyFiles = (site: HostSite): HostFile[] => {
  checkRoot('Caddy', site.root, /[{}]/);
  return [{ path: RULES_FILE, text: named(site, rules(site)) }];
};

/** What is imported into a site. */
export const snippetOf = (site: HostSite): string => `prepress_${placeId(site)}`;

/** Snippets are known in the whole configuration, matchers and variables in the whole site. */
const named = (site: HostSite, text: string): string =>
  text.replace(/\bprepress(?=[\s_)}])(?! hosts)/g, snippetOf(site));

const rules = (site: HostSite): string => {
  const prefix = prefixPattern(site);
  const content = `${site.basePath}/content`;
  const addresses = addressRules(site);
  const storedHandles = storedAddresses(addresses, site.names.filter(isReachable))
    .map(({ rule, name }) => storedHandle({ site, content, prefix, rule }, name))
    .join('');
  return `# Written by "prepress hosts write caddy". In the Caddyfile, outside of sites:
#   import /path/to/prepress.caddy
# and within a site, before its other handlers:
#   import prepress

(prepress) {
	map {http.request.orig_uri} {prepress_raw} {prepress_query} {
		~^([^?]*)(.*)$ "\${1}" "\${2}"
	}
	map {http.request.orig_uri} {prepress_hostile} {
		"~${HOSTILE_PATH}" yes
		default no
	}
	map {http.request.orig_uri.path} {prepress_cache} {
		"~^${prefix}/content/packed/${blobName(ANY_BLOB)}$" "${BLOB_CACHE}"
		default "${DOCUMENT_CACHE}"
	}
${questionMaps(addresses)}${addresses.map(entryMap).join('')}	@prepress ${onPath('prepress', `^${prefix}/content(?:/(.*))?$`)}
	handle @prepress {
		root * ${quoted(site.root)}
		header {
${sharedHeaders(site)}
		}
		@prepress_version ${onPath('prepress_version', `^(?:${site.basePath})?/ghost/api/(v2|v3|v4|canary)/content(?:/|$)`)}
		header @prepress_version ${deprecation('{re.prepress_version.1}')[0]} ${quoted(deprecation('{re.prepress_version.1}')[1])}
		@prepress_preflight method OPTIONS
		handle @prepress_preflight {
			header {
${headers(PREFLIGHT_HEADERS)}
			}
			respond 204
		}
		@prepress_refused expression \`{prepress_hostile} == "yes" || !({method} in ["GET", "HEAD"])\`
		handle @prepress_refused {
			import prepress_absent
		}
		@prepress_redirect ${onPath('prepress_redirect', `^${prefix}/content/${ANY_ADDRESS}$`)}
		handle @prepress_redirect {
			header Cache-Control "${REDIRECT_CACHE}"
			redir {prepress_raw}/{prepress_query} 301
		}
${storedHandles}${addresses.map((rule) => addressHandle(site, prefix, rule)).join('')}		@prepress_page {
			${onPath('prepress_page', `^${prefix}/content/$`)}
			file {
				root ${quoted(site.root)}
				try_files ${content}/index.html
			}
		}
		handle @prepress_page {
			rewrite * ${content}/index.html
			import prepress_file
		}
		@prepress_plain ${onPath('prepress_plain', `^${prefix}/content/(.*[^/])$`)}
		handle @prepress_plain {
			@prepress_media ${onPath('prepress_media', `^${prefix}/content/${MEDIA_FOLDERS}`)}
			header @prepress_media ${MEDIA_POLICY[0]} ${quoted(MEDIA_POLICY[1])}
			@prepress_json ${onPath('prepress_json', '[.]json$')}
			header @prepress_json Content-Type "${JSON_TYPE}"
			@prepress_columns ${onPath('prepress_columns', `/packed/${blobName('bin')}$`)}
			header @prepress_columns Content-Type "${BINARY_TYPE}"
			@prepress_size {
				${onPath('prepress_size', `^${prefix}/content/${SIZED}(.+)$`)}
				not file {
					root ${quoted(site.root)}
					try_files ${content}/{re.prepress_plain.1}
				}
			}
			route {
				rewrite * ${content}/{re.prepress_plain.1}
				rewrite @prepress_size ${content}/images/{re.prepress_size.1}
			}
			import prepress_file
		}
		handle {
			import prepress_absent
		}
	}
	# Of names that are too long for the disk, and files that may not be read.
	handle_errors {
		@prepress_failed ${onPath('prepress_failed', `^${prefix}/content/`)}
		handle @prepress_failed {
			root * ${quoted(site.root)}
			header {
${headers(SHARED_HEADERS)}
			}
			import prepress_absent
		}
	}
}

(prepress_file) {
	route {
		header Cache-Control {prepress_cache}
		file_server {
			pass_thru
			# A slug may be called as a file is, which is no reason to redirect.
			disable_canonical_uris
${site.encodings.length === 0 ? '' : `			precompressed ${site.encodings.join(' ')}\n`}		}
		import prepress_absent
	}
}

(prepress_absent) {
	route {
		header {
			Content-Type "${JSON_TYPE}"
			Cache-Control "${NOT_FOUND_CACHE}"
			-${MEDIA_POLICY[0]}
			-Etag
			-Last-Modified
		}
		rewrite * ${content}/404.json
		file_server {
			status 404
		}
	}
}
`;
};

/** The path as it was asked for: a site may have rewritten it before, for pages of its own. */
const onPath = (name: string, pattern: string): string =>
  `vars_regexp ${name} {http.request.orig_uri.path} "(?s)${pattern}"`;

/** Caddy says itself that an answer varies, but only where it is compressed: this is said when it has spoken. */
const sharedHeaders = ({ encodings }: HostSite): string => {
  if (encodings.length === 0) return headers(SHARED_HEADERS);
  const others = SHARED_HEADERS.filter((header) => header !== VARY);
  return `${headers([...others, [VARY[0], `${VARY[1]}, Accept-Encoding`]])}\n\t\t\t\tdefer`;
};

const headers = (list: readonly (readonly [string, string])[]): string =>
  headerLines(list, (name, value) => `\t\t\t\t${name} "${value}"`);

const variableOf = (text: string): string => `prepress_${text.replaceAll('-', '_')}`;

const QUERY = '{http.request.orig_uri.query}';

/** What each query asks for, once for all addresses. */
const questionMaps = (rules: readonly AddressRule[]): string =>
  allQuestions(rules)
    .map((question) =>
      mapOf(QUERY, [variableOf(question.name)], {
        lines: question.cases.map((one) => [casePattern(question, one), filled(one.token)]),
        otherwise: ['""'],
      }),
    )
    .join('');

const filled = (text: string): string => `"${withGroups(text, (group) => `\${${group}}`)}"`;

type Lines = {
  readonly lines: readonly (readonly string[])[];
  readonly otherwise: readonly string[];
};

const mapOf = (source: string, variables: readonly string[], map: Lines): string =>
  `	map ${source} ${variables.map((name) => `{${name}}`).join(' ')} {
${map.lines.map(([pattern, ...values]) => `		"~${pattern}" ${values.join(' ')}\n`).join('')}		default ${map.otherwise.join(' ')}
	}
`;

const entryMap = (rule: AddressRule): string => {
  if (rule.entries.length === 0) return '';
  const parts = rule.questions.map(({ name }) => `{${variableOf(name)}}`);
  return mapOf(`"${parts.join('')}"`, [fileVariable(rule)], {
    lines: rule.entries.map(({ pattern, file }) => [pattern, filled(file)]),
    otherwise: ['""'],
  });
};

const fileVariable = (rule: AddressRule): string => variableOf(`file_${rule.name}`);

const variantOf = (rule: AddressRule): string =>
  rule.entries.length === 0 ? 'index' : `{${fileVariable(rule)}}`;

/** `path`: what is asked for below `/content/`. */
const otherQueryHandle = (site: HostSite, rule: AddressRule, path: string): string => {
  if (rule.kind === 'fixed' || site.queries.otherQueries === 'ignore') return '';
  const matcher = variableOf(`${rule.name}_other`);
  return `			@${matcher} vars {${fileVariable(rule)}} ""
			handle @${matcher} {
${otherQueryLines(site, path)}
			}
`;
};

const otherQueryLines = (site: HostSite, path: string): string => {
  const companion = companionOf(site);
  if (companion === null)
    return `				header Content-Type "${JSON_TYPE}"
				header Cache-Control "${REFUSED_CACHE}"
				respond ${quoted(OTHER_QUERY_BODY)} 400`;
  return `				rewrite * ${companion.content}/${path}/
				reverse_proxy ${companion.origin} {
					header_up Host {upstream_hostport}
${SHARED_HEADERS.filter((header) => header !== VARY)
  .map(([name]) => `					header_down -${name}\n`)
  .join('')}				}`;
};

const addressHandle = (site: HostSite, prefix: string, rule: AddressRule): string => {
  const matcher = variableOf(rule.name);
  return `		@${matcher} ${onPath(matcher, `^${prefix}/content/(${rule.path})/$`)}
		handle @${matcher} {
${otherQueryHandle(site, rule, `{re.${matcher}.1}`)}			handle {
				rewrite * ${site.basePath}/content/{re.${matcher}.1}/${variantOf(rule)}.json
				header Content-Type "${JSON_TYPE}"
				import prepress_file
			}
		}
`;
};

type Place = Readonly<Record<'content' | 'prefix', string>> & {
  readonly site: HostSite;
  readonly rule: AddressRule;
};

const storedHandle = (place: Place, { resource, slug, segment }: StoredName): string => {
  const matcher = variableOf(`${resource}_${hashedSegment(slug).slice(1)}`);
  const folder = `${resource}/slug/`;
  return `		@${matcher} ${onPath(matcher, `^${place.prefix}/content/${folder}${textPattern(slug)}/$`)}
		handle @${matcher} {
${otherQueryHandle(place.site, place.rule, `${folder}${segment}`)}			handle {
				rewrite * ${place.content}/${folder}${segment}/${variantOf(place.rule)}.json
				header Content-Type "${JSON_TYPE}"
				import prepress_file
			}
		}
`;
};

export const isReachable = (name: StoredName): boolean => isRoutable(name);
