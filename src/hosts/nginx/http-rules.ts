// The part of nginx's rules that belongs into its `http` block: maps, evaluated only where something asks for
// them, from the path and the query to the file.

import {
  BLOB_CACHE,
  DOCUMENT_CACHE,
  NOT_FOUND_CACHE,
  REDIRECT_CACHE,
  REFUSED_CACHE,
} from '../../paths/headers.ts';
import {
  type AddressRule,
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  blobName,
  HOSTILE_PATH,
  quoted,
} from '../addresses.ts';
import type { HostSite, StoredName } from '../host.ts';
import { textPattern } from '../spellings.ts';
import { isReachable, isShort, storedFolder } from './names.ts';
import { type NameVariable, variablesOf } from './variables.ts';

export const httpRules = (site: HostSite): string => {
  const name = variablesOf(site);
  const rules = addressRules(site);
  const content = `${site.basePath}/content`;
  return `# Written by "prepress hosts write nginx". Include it in the http block, and prepress.nginx.conf in a
# server block.

# What is answered without looking for a file: preflights, other methods, and paths that are tidied up elsewhere.
map "$request_method $request_uri" $${name('refusal')} {
    default "";
    "~^OPTIONS " 204;
    "~^(?!(?:GET|HEAD) )" 404;
    "~${HOSTILE_PATH}" 404;
}

# What a query asks for, in any spelling.
${questionMaps(rules, name)}
# What that is in the name of a file.
${rules.map((rule) => variantMap(rule, name)).join('')}
map $uri $${name('file')} {
    default $uri;
    "~/[.]" "";
${longNames(site, name, rules)}${rules.map((rule) => fileLine(content, rule, name)).join('')}}

# An address without its last slash, and the path as it was sent: nothing decoded reaches a header.
map $uri $${name('slashless')} {
    default "";
    "~^${content}/${ANY_ADDRESS}$" 1;
}
map $request_uri $${name('raw')} {
    default "";
    "~^(?<${name('path')}>[^?]*)" $${name('path')};
}

map "$status $uri" $${name('cache')} {
    default "${DOCUMENT_CACHE}";
    "~^[23]0[^1] ${content}/packed/${blobName(ANY_BLOB)}$" "${BLOB_CACHE}";
    "~^301" "${REDIRECT_CACHE}";
    "~^404" "${NOT_FOUND_CACHE}";
    "~^[45]" "${REFUSED_CACHE}";
}
map $request_uri $${name('deprecation')} {
    default "";
    "~^(?:${site.basePath.replaceAll('.', '[.]')})?/ghost/api/(?<${name('version')}>v2|v3|v4|canary)/content(?:[/?]|$)" 'version="$${name('version')}"';
}
`;
};

const questionMaps = (rules: readonly AddressRule[], name: NameVariable): string => {
  const queries = new Map(rules.flatMap(({ tokens }) => tokens.map((t) => [t.token, t.query])));
  const maps = [...queries].map(
    ([token, query]) => `map $args $${name(token)} {
    default "";
    "~${query}" "-${token}";
}
`,
  );
  const page = rules.find((rule) => rule.page !== null)?.page;
  if (page) {
    const number = name('number');
    maps.push(`map $args $${name('page')} {
    default "";
    "~${page.replace('([2-9]', `(?<${number}>[2-9]`)}" "page-$${number}";
}
`);
  }
  return maps.join('');
};

/** Nothing for settings, which have one file. */
const variantMap = (rule: AddressRule, name: NameVariable): string => {
  if (rule.tokens.length === 0) return '';
  const tokens = rule.tokens.map(({ token }) => `$${name(token)}`).join('');
  const source = `${rule.page === null ? '' : `$${name('page')}`}${tokens}`;
  const sent = rule.substitutes.map(
    ([dropped, other]) => `    "${dropped === 'index' ? '' : `-${dropped}`}" ${other};\n`,
  );
  const isSubstituted = rule.substitutes.some(([dropped]) => dropped === 'index');
  return `map "${source}" $${name(rule.name)} {
    default "${source}";
${isSubstituted ? '' : '    "" index;\n'}${sent.join('')}    "~^-(?<${name('variant')}>.+)" $${name('variant')};
}
`;
};

const variantOf = (rule: AddressRule, name: NameVariable): string =>
  rule.tokens.length === 0 ? 'index' : `$${name(rule.name)}`;

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
    .filter((one) => isReachable(one) && !isShort(site, one))
    .map((one) => longName(site, one, variantOf(recordRule(rules, one), name)))
    .join('');

const longName = (site: HostSite, one: StoredName, variant: string): string =>
  `    ${quoted(`~^${textPattern(storedFolder(site, one, one.slug))}$`)} "${storedFolder(site, one, one.segment)}${variant}.json";\n`;

const recordRule = (rules: readonly AddressRule[], { resource }: StoredName): AddressRule => {
  const found = rules.find((rule) => rule.name === `${resource}_record`);
  if (found === undefined) throw new Error(`No rule of ${resource}.`);
  return found;
};
