// The part of Caddy's rules that is about addresses: maps from queries to files, and a handler of each address.
import {
  JSON_TYPE,
  REFUSED_CACHE,
  SHARED_HEADERS,
  STALE_HEADER,
  VARY,
} from '../../../content/paths/headers.ts';
import { hashedSegment } from '../../../content/paths/segments.ts';
import type { HostSite, StoredName } from '../host.ts';
import {
  type AddressRule,
  allQuestions,
  casePattern,
  headerLines,
  quoted,
  withGroups,
} from '../rules/addresses.ts';
import {
  ANSWER_SECONDS,
  AWAY_BODY,
  CONNECT_SECONDS,
  companionOf,
  OTHER_QUERY_BODY,
} from '../rules/other-queries.ts';
import { placeId } from '../rules/publication-name.ts';
import { textPattern } from '../rules/spellings.ts';

/** What is imported into a site. The names of all snippets, matchers and variables begin with it. */
export const snippetOf = (site: HostSite): string => `prepress_${placeId(site)}`;

/** The path as it was asked for: a site may have rewritten it before, for pages of its own. */
export const onPath = (name: string, pattern: string): string =>
  `vars_regexp ${name} {http.request.orig_uri.path} "(?s)${pattern}"`;

/** Of variables and matchers, which all publications of a site share. */
const nameIn = (snippet: string, text: string): string => `${snippet}_${text.replaceAll('-', '_')}`;

const QUERY = '{http.request.orig_uri.query}';

/** What each query asks for, once for all addresses. */
export const questionMaps = (rules: readonly AddressRule[], snippet: string): string =>
  allQuestions(rules)
    .map((question) =>
      mapOf(QUERY, [nameIn(snippet, question.name)], {
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

export const entryMap = (rule: AddressRule, snippet: string): string => {
  if (rule.entries.length === 0) return '';
  const parts = rule.questions.map(({ name }) => `{${nameIn(snippet, name)}}`);
  return mapOf(`"${parts.join('')}"`, [fileVariable(rule, snippet)], {
    lines: rule.entries.map(({ pattern, file }) => [pattern, filled(file)]),
    otherwise: ['""'],
  });
};

const fileVariable = (rule: AddressRule, snippet: string): string =>
  nameIn(snippet, `file_${rule.name}`);

const variantOf = ({ site, rule }: Place): string =>
  rule.entries.length === 0 ? 'index' : `{${fileVariable(rule, snippetOf(site))}}`;

/** `path`: what is asked for below `/content/`. */
const otherQueryHandle = ({ site, rule }: Place, path: string): string => {
  if (rule.kind === 'fixed' || site.queries.otherQueries === 'ignore') return '';
  const snippet = snippetOf(site);
  const matcher = nameIn(snippet, `${rule.name}_other`);
  // Pages past the last one have no file.
  const lines =
    rule.kind === 'list' && companionOf(site) !== null
      ? `not file {
				root ${quoted(site.root)}
				try_files ${site.basePath}/content/${rule.path}/{${fileVariable(rule, snippet)}}.json
			}`
      : `vars {${fileVariable(rule, snippet)}} ""`;
  return `			@${matcher} ${lines}
			handle @${matcher} {
${otherQueryLines(site, path)}
			}
`;
};

const passedVariable = (site: HostSite): string => `${snippetOf(site)}_passed`;

/** What readers get while the companion server is away. */
export const awayHandle = (site: HostSite): string =>
  companionOf(site) === null
    ? ''
    : `		@${snippetOf(site)}_away vars ${passedVariable(site)} yes
		handle @${snippetOf(site)}_away {
			header {
${headerLines(SHARED_HEADERS, (name, value) => `				${name} "${value}"`)}
				Content-Type "${JSON_TYPE}"
				Cache-Control "${REFUSED_CACHE}"
				Retry-After 1
			}
			respond ${quoted(AWAY_BODY)} 503
		}
`;

const otherQueryLines = (site: HostSite, path: string): string => {
  const companion = companionOf(site);
  if (companion === null)
    return `				header Content-Type "${JSON_TYPE}"
				header Cache-Control "${REFUSED_CACHE}"
				respond ${quoted(OTHER_QUERY_BODY)} 400`;
  return `				vars ${passedVariable(site)} yes
				rewrite * ${companion.content}/${path}/
				reverse_proxy ${companion.origin} {
					header_up Host {upstream_hostport}
					header_up -${STALE_HEADER}
					transport http {
						dial_timeout ${CONNECT_SECONDS}s
						response_header_timeout ${ANSWER_SECONDS}s
						read_timeout ${ANSWER_SECONDS}s
					}
${SHARED_HEADERS.filter((header) => header !== VARY)
  .map(([name]) => `					header_down -${name}\n`)
  .join('')}				}`;
};

export const addressHandle = (place: Place): string => {
  const matcher = nameIn(snippetOf(place.site), place.rule.name);
  return handleOf(place, { matcher, pattern: `(${place.rule.path})`, path: `{re.${matcher}.1}` });
};

type Place = {
  readonly site: HostSite;
  readonly prefix: string;
  readonly rule: AddressRule;
};

export const storedHandle = (place: Place, { resource, slug, segment }: StoredName): string => {
  const matcher = nameIn(snippetOf(place.site), `${resource}_${hashedSegment(slug).slice(1)}`);
  const folder = `${resource}/slug/`;
  const pattern = `${folder}${textPattern(slug)}`;
  return handleOf(place, { matcher, pattern, path: `${folder}${segment}` });
};

/** What is asked for, and the path that has it, below `/content/`. */
type Found = Record<'matcher' | 'pattern' | 'path', string>;

const handleOf = (place: Place, { matcher, pattern, path }: Found): string =>
  `		@${matcher} ${onPath(matcher, `^${place.prefix}/content/${pattern}/$`)}
		handle @${matcher} {
${otherQueryHandle(place, path)}			handle {
				rewrite * ${place.site.basePath}/content/${path}/${variantOf(place)}.json
				header Content-Type "${JSON_TYPE}"
				import ${snippetOf(place.site)}_file
			}
		}
`;
