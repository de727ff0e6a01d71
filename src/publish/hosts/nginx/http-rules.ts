// The part of nginx's rules that belongs into its `http` block: maps, evaluated only where something asks for
// them, from the path and the query to the file.
import { ANY_VERSION } from '../../../content/paths/content-path.ts';
import { SIZED } from '../../../content/paths/files.ts';
import {
  BLOB_CACHE,
  DOCUMENT_CACHE,
  MEDIA_FOLDERS,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  REDIRECT_CACHE,
  REFUSED_CACHE,
} from '../../../content/paths/headers.ts';
import type { HostSite, StoredName } from '../host.ts';
import { CACHE_FOLDER } from '../placing/try-rules.ts';
import {
  type AddressRule,
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  allQuestions,
  blobName,
  casePattern,
  HOSTILE_PATH,
  isRoutable,
  quoted,
  withGroups,
} from '../rules/addresses.ts';
import { companionOf } from '../rules/other-queries.ts';
import { nginxMap } from '../rules/redirects.ts';
import { decodedBelowApi, plainAdmin, sentBelowApi } from '../rules/shield.ts';
import { dotted, nameOf, textPattern } from '../rules/spellings.ts';
import { isShort, storedFolder } from './names.ts';
import { type NameVariable, type NginxCode, variablesOf } from './variables.ts';

export const httpRules = (site: HostSite, code: NginxCode | null): string => {
  const name = variablesOf(site);
  const rules = addressRules(site);
  const content = `${site.basePath}/content`;
  return `# Written by "prepress hosts write nginx". Include it in the http block, and prepress.nginx.conf in a
# server block.
${code === null ? cacheLines(site, name) : codeLines(code, name)}
# What is answered without looking for a file: preflights, other methods, and paths that are tidied up elsewhere.
map "$request_method $request_uri" $${name('refusal')} {
    default "";
    "~^OPTIONS " 204;
    "~^(?!(?:GET|HEAD) )" 404;
    "~${HOSTILE_PATH}" 404;
}

${site.isShield ? shieldMaps(site, name) : ''}# What a query asks for, in any spelling.
${questionMaps(rules, name)}
# What that is in the name of a file.
${rules.map((rule) => entryMaps(rule, name)).join('')}
map $uri $${name('file')} {
    default $uri;
    "~/[.]" "";
${longNames(site, name, rules)}${rules.map((rule) => fileLine(content, rule, name)).join('')}}

# The picture that a size is of, where the size is not there.
map $uri $${name('original')} {
    default "";
    "~/[.]" "";
    "~^${content}/${SIZED}(?<${name('picture')}>.+)$" "${content}/images/$${name('picture')}";
}

# Queries that have no file.
map $${name('file')} $${name('other')} {
    default "";
    "~/[.]other[.]json$" 1;
}
${code === null ? '' : codedMaps(site, rules, name)}${code === null && companionOf(site) === null ? '' : filelessMap(site, { rules, name, isCoded: code !== null })}
# An address without its last slash, and the path as it was sent: nothing decoded reaches a header.
map $uri $${name('slashless')} {
    default "";
    "~^${content}/${ANY_ADDRESS}$" 1;
}
map $request_uri $${name('raw')} {
    default "";
    "~^(?<${name('path')}>[^?]*)" $${name('path')};
}
${nginxMap(site, name)}
map "$status $uri" $${name('cache')} {
    default "${DOCUMENT_CACHE}";
    "~^[23]0[^1] ${content}/packed/${blobName(ANY_BLOB)}$" "${BLOB_CACHE}";
    "~^301" "${REDIRECT_CACHE}";
    "~^404" "${NOT_FOUND_CACHE}";
    "~^[45]" "${REFUSED_CACHE}";
}
map "$status $uri" $${name('policy')} {
    default "";
    "~^[23]0[^1] ${content}/${MEDIA_FOLDERS}" "${MEDIA_POLICY[1]}";
}
map $request_uri $${name('deprecation')} {
    default "";
    "~^(?:${dotted(site.basePath)})?/ghost/api/(?<${name('version')}>${ANY_VERSION})/content(?:[/?]|$)" 'version="$${name('version')}"';
}
`;
};

/** What Ghost could take for its content interface: as it was sent, or as nginx has tidied it up. */
const shieldMaps = (site: HostSite, name: NameVariable): string => `# What is kept from Ghost.
map $uri $${name('tidied')} {
    default "";
    "~${decodedBelowApi(site)}" 1;
}
map $request_uri $${name('shielded')} {
    default $${name('tidied')};
    "~${HOSTILE_PATH.replace('^', sentBelowApi(site))}" 1;
    "~${plainAdmin(site)}" "";
    "~${sentBelowApi(site)}" 1;
}

`;

/** Where answers of the companion server are kept; a folder that nginx makes. */
const cacheLines = (site: HostSite, name: NameVariable): string =>
  companionOf(site) === null
    ? ''
    : `
proxy_cache_path ${CACHE_FOLDER}${name('answers')} levels=1:2 keys_zone=${name('answers')}:2m max_size=256m inactive=1h use_temp_path=off;
map $upstream_http_cache_control $${name('passed')} {
    default $upstream_http_cache_control;
    "~^stale-if-error=" "${DOCUMENT_CACHE}";
}
`;

const codeLines = ({ folder, file }: NginxCode, name: NameVariable): string => `
js_path ${quoted(folder)};
js_import ${name('code')} from ${quoted(file)};
`;

const addressLines = (
  { basePath, rules }: { readonly basePath: string; readonly rules: readonly AddressRule[] },
  kind: AddressRule['kind'],
  value: string,
): string =>
  rules
    .filter((rule) => rule.kind === kind)
    .map((rule) => `    "~^${basePath}/content/${rule.path}/$" ${value};\n`)
    .join('');

/** What is answered otherwise where a file is not there: lists, and for njs what the profile leaves out. */
const filelessMap = (
  { basePath, selection }: HostSite,
  { rules, name, isCoded }: { rules: readonly AddressRule[]; name: NameVariable; isCoded: boolean },
): string => `map $uri $${name('fileless')} {
    default "";
${addressLines({ basePath, rules }, 'list', '1')}${isCoded && selection.profile !== 'literal' ? addressLines({ basePath, rules }, 'record', '1') : ''}}
`;

/** What the code answers: queries that have no file, and records of which a part is asked for. */
const codedMaps = (
  { basePath }: HostSite,
  rules: readonly AddressRule[],
  name: NameVariable,
): string => `
# What the code for njs answers.
map $args $${name('shape')} {
    default "";
    "~(?:^|&)(?:${nameOf('fields')}|${nameOf('formats')})=" 1;
}
map $uri $${name('coded')} {
    default $${name('other')};
${addressLines({ basePath, rules }, 'record', `$${name('shape')}$${name('other')}`)}}
`;

/** nginx names the groups of its expressions. */
const groupNames = ['first', 'second'] as const;

const named = (pattern: string, name: NameVariable): string => {
  let group = 0;
  return pattern.replace(/\((?!\?)/g, () => `(?<${name(groupNames[group++] ?? '')}>`);
};

const filled = (text: string, name: NameVariable): string =>
  withGroups(text, (group) => `$${name(groupNames[Number(group) - 1] ?? '')}`);

const questionMaps = (rules: readonly AddressRule[], name: NameVariable): string =>
  allQuestions(rules)
    .map((question) => {
      const lines = question.cases.map(
        (one) =>
          `    "~${named(casePattern(question, one), name)}" "${filled(one.token, name)}";\n`,
      );
      return `map $args $${name(question.name)} {
    default "";
${lines.join('')}}
`;
    })
    .join('');

/** Nothing for settings, which have one file. */
const entryMaps = (rule: AddressRule, name: NameVariable): string => {
  if (rule.entries.length === 0) return '';
  const signature = rule.questions.map((question) => `$${name(question.name)}`).join('');
  // An empty text fits no expression of a map.
  const mapOf = (target: string, lines: readonly string[]): string =>
    `map ":${signature}" $${name(target)} {\n${lines.join('')}}\n`;
  const line = (pattern: string, file: string): string =>
    `    "~${named(pattern.replace('^', '^:'), name)}" "${filled(file, name)}";\n`;
  return mapOf(rule.name, [
    `    default ${OTHER_QUERY};\n`,
    ...rule.entries.map(({ pattern, file }) => line(pattern, file)),
  ]);
};

/** The file that a query without one is given, which no file is called. */
const OTHER_QUERY = '.other';

const variantOf = (rule: AddressRule, name: NameVariable): string =>
  rule.entries.length === 0 ? 'index' : `$${name(rule.name)}`;

const fileLine = (content: string, rule: AddressRule, name: NameVariable): string => {
  const variant = variantOf(rule, name);
  if (rule.kind !== 'record')
    return `    "~^${content}/${rule.path}/$" "${content}/${rule.path}/${variant}.json";\n`;
  const folder = name('folder');
  return `    "~^(?<${folder}>${content}/${rule.path}/)$" "$${folder}${variant}.json";\n`;
};

/** The others have a location of their own, which is found without trying one pattern after the other. */
const longNames = (site: HostSite, name: NameVariable, rules: readonly AddressRule[]): string =>
  site.names
    .filter((one) => isRoutable(one) && !isShort(site, one))
    .map((one) => longName(site, one, variantOf(recordRule(rules, one), name)))
    .join('');

const longName = (site: HostSite, one: StoredName, variant: string): string =>
  `    ${quoted(`~^${textPattern(storedFolder(site, one, one.slug))}$`)} "${storedFolder(site, one, one.segment)}${variant}.json";\n`;

const recordRule = (rules: readonly AddressRule[], { resource }: StoredName): AddressRule => {
  const found = rules.find((rule) => rule.name === `${resource}_record`);
  if (found === undefined) throw new Error(`No rule of ${resource}.`);
  return found;
};
