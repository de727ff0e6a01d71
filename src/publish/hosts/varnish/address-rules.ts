// Addresses in the language of Varnish: the path of a request becomes that of its file, and what has none is refused or
// passed on.
import type { HostSite } from '../host.ts';
import { type AddressRule, ANY_RECORD, casePattern, withGroups } from '../rules/addresses.ts';
import type { Question } from '../rules/list-rules.ts';
import { ANSWER_SECONDS, CONNECT_SECONDS, companionOf } from '../rules/other-queries.ts';
import { placeId } from '../rules/publication-name.ts';

const QUERY = 'req.http.X-Prepress-Query';
const SIGNATURE = 'req.http.X-Prepress-Signature';

export const addressRule = (site: HostSite, rule: AddressRule): string => {
  const folder = `${site.basePath}/content/${rule.path}`;
  const lines =
    rule.entries.length === 0
      ? `            set req.url = req.url + "index.json";\n`
      : `            set ${SIGNATURE} = "";
${rule.questions.map(questionLines).join('')}${entryLines(site, rule)}`;
  return `        if (req.url ~ "^${inOneGo(folder)}/$") {
${lines}        }
`;
};

type Branch = readonly [condition: string, lines: readonly string[]];

/** The lines of the first branch whose condition holds. */
const branches = (all: readonly Branch[], otherwise: readonly string[] = []): string => {
  const block = (lines: readonly string[]): string =>
    `{\n${lines.map((line) => `                ${line}\n`).join('')}            }`;
  const chain = all.map(([condition, lines]) => `if (${condition}) ${block(lines)}`).join(' else');
  return `            ${chain}${otherwise.length === 0 ? '' : ` else ${block(otherwise)}`}\n`;
};

const questionLines = (question: Question): string =>
  branches(
    question.cases.map((one): Branch => {
      const pattern = casePattern(question, one);
      const added = withText(encoded(one.token), QUERY, `^.*?${pattern}.*$`);
      return [`${QUERY} ~ "${pattern}"`, [`set ${SIGNATURE} = ${SIGNATURE} + ${added};`]];
    }),
  );

/** As it stands in the address that the server behind is asked for. */
const encoded = (text: string): string => text.replace(/[\u0080-\uffff]+/g, encodeURIComponent);

/** A text with the groups that a pattern finds in a header. */
const withText = (text: string, header: string, pattern: string): string =>
  text.includes('{')
    ? `regsub(${header}, "${pattern}", "${withGroups(text, (group) => `\\${group}`)}")`
    : `"${text}"`;

const entryLines = (site: HostSite, rule: AddressRule): string => {
  const all = rule.entries.map(({ file, ...entry }): Branch => {
    const pattern = encoded(entry.pattern);
    const sent = (name: string): string => withText(`${name}.json`, SIGNATURE, pattern);
    return [`${SIGNATURE} ~ "${pattern}"`, [`set req.url = req.url + ${sent(file)};`]];
  });
  return branches(all, otherQueryLines(site));
};

const otherQueryLines = (site: HostSite): string[] => {
  if (site.queries.otherQueries === 'ignore') return [];
  if (companionOf(site) === null) return ['return (synth(400));'];
  return ['if (req.method == "PURGE") {', '    return (synth(200));', '}', ...passLines(site)];
};

/** Regular expressions have a limit of steps here, which longer values would reach. */
const QUERY_CHARACTERS_MAX = 1_500;

/** A longer query is not looked into. */
export const longQueryRule = (site: HostSite, content: string): string => {
  const lines = otherQueryLines(site);
  const done = lines.length > 0 ? lines : ['unset req.http.X-Prepress-Query;'];
  return `        if (${QUERY} ~ "^.{${QUERY_CHARACTERS_MAX}}" && req.url ~ "^${content}/${inOneGo(ANY_RECORD)}/$") {
${done.map((line) => `            ${line}\n`).join('')}        }
`;
};

/** The address of a list or record goes to the companion server, with the query as it was sent. */
export const passLines = (site: HostSite): string[] => {
  const companion = companionOf(site);
  return companion === null
    ? []
    : [
        `set req.http.Host = "${companion.host}";`,
        `set req.url = regsub(req.url, "^${site.basePath}/content", "${companion.content}") + req.http.X-Prepress-Asked;`,
        'unset req.http.X-Prepress;',
        `set req.http.X-Prepress-Passed = "${placeId(site)}";`,
        'return (restart);',
      ];
};

/** Varnish speaks no TLS: what would go to such a companion server is refused. */
export const withPlainCompanion = (site: HostSite): HostSite =>
  companionOf(site)?.isSecure === true
    ? { ...site, queries: { ...site.queries, otherQueries: 'refuse' } }
    : site;

export const companionBackend = (site: HostSite): string => {
  const companion = companionOf(site);
  return companion === null
    ? ''
    : `
# Where queries go that have no file.
backend prepress_${placeId(site)}_companion {
    .host = "${companion.hostname.replace(/^\[|\]$/g, '')}";
    .port = "${companion.port}";
${waitLines}}
`;
};

/** How long readers wait for a server behind. */
export const waitLines = `    .connect_timeout = ${CONNECT_SECONDS}s;
    .first_byte_timeout = ${ANSWER_SECONDS}s;
    .between_bytes_timeout = ${ANSWER_SECONDS}s;
`;

/** Possessive: a long name is not tried again with each of its ends. */
export const inOneGo = (pattern: string): string => pattern.replaceAll('[^/]*', '[^/]*+');
