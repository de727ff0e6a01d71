// Rules for Apache: one .htaccess at the top of the output, for mod_rewrite and mod_headers. Everything in
// it is about addresses below `/content`, and redirects. A shield has the same rules in a section of its own.
import { FILE_NAME_BYTES_MAX } from '../../../base/limits.ts';
import { ANY_VERSION, DEPRECATED_VERSIONS } from '../../../content/paths/content-path.ts';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { GUARDED_FOLDERS, SIZED } from '../../../content/paths/files.ts';
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
  VARY,
} from '../../../content/paths/headers.ts';
import { SETTINGS_NAMES } from '../../../content/paths/settings-names.ts';
import { type Encoding, sidecarOf } from '../../../content/paths/sidecars.ts';
import type { HostFile, HostSite, StoredName } from '../host.ts';
import {
  type AddressRule,
  ANY_ADDRESS,
  ANY_BLOB,
  addressRules,
  allQuestions,
  blobName,
  casePattern,
  HOSTILE_PATH,
  headerLines,
  isRoutable,
  prefixPattern,
  withGroups,
} from '../rules/addresses.ts';
import { companionOf, OTHER_QUERY_FILE, otherQueryFiles } from '../rules/other-queries.ts';
import { apacheRedirects } from '../rules/redirects.ts';
import { dotted, exactly, textPattern } from '../rules/spellings.ts';
import { SHIELD_FILE, shieldContent, shieldRules } from './shield.ts';

export const apacheFiles = (site: HostSite): HostFile[] => {
  // The request line has a space where the path ends.
  const hostileRequest = HOSTILE_PATH.replace('^[^?]*', '^[A-Z]+ [^? ]*').replace('|$)', '| )');
  const folderRules = rules(site, hostileRequest);
  const file = site.isShield
    ? { path: SHIELD_FILE, text: shieldRules(site, { folderRules, hostileRequest }) }
    : { path: '.htaccess', text: `${NEEDS_OVERRIDE}${folderRules}` };
  return [file, ...otherQueryFiles(site)];
};

const NEEDS_OVERRIDE = `# Written by "prepress hosts write apache". It needs "AllowOverride All".\n`;

const rules = (site: HostSite, hostileRequest: string): string => {
  const prefix = prefixPattern(site);
  const content = site.isShield ? shieldContent(site) : `${site.basePath}/content`;
  const addresses = addressRules(site);
  return `AddType application/json .json
AddCharset utf-8 .json
<FilesMatch "^[0-9a-f]{30}[.]txt$">
  ForceType "${TEXT_TYPE}"
</FilesMatch>
<FilesMatch "^[0-9a-f]{30}[.]bin$">
  ForceType ${BINARY_TYPE}
</FilesMatch>
${site.encodings.map((encoding) => typeOfSidecars(content, encoding)).join('')}
RewriteEngine On
RewriteBase /

${apacheRedirects(site)}# Names with a dot are nobody's, but for documents of slugs and what every site has: work under way, a history in Git.
RewriteRule "^[.](?!well-known/)|(?<!${RESOURCES.map((name) => `${name}/slug`).join('|')})/[.]" - [R=404,L]
RewriteCond %{REQUEST_FILENAME} -f
RewriteRule "/slug/[.](?!.*[.]json(?:[.](?:br|gz))?$)" - [R=404,L]
# Settings of hosts are nobody's, either; a page that is called so is a folder.
RewriteCond %{REQUEST_FILENAME} !-d
RewriteRule "^(?:${dotted(SETTINGS_NAMES.join('|'))})$" - [R=404,L]

${site.encodings.map((encoding) => sidecarRule(`${content}/`, hostileRequest, encoding)).join('')}# A picture in a size that is not there is sent as it is, whatever address led to it.
RewriteCond %{REQUEST_METHOD} ^(?:GET|HEAD)$
RewriteCond %{THE_REQUEST} "!${hostileRequest}"
RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_URI} "^${dotted(content)}/${SIZED}(.+)$"
RewriteRule ^ "${content}/images/%1" ${LAST}

# Only what was asked for is looked up, not what it was rewritten to.
RewriteCond %{ENV:REDIRECT_STATUS} !^$
RewriteRule ^ - [L]

# Preflights, other methods, and paths that are tidied up elsewhere.
RewriteCond %{REQUEST_URI} ^${prefix}/content(?:/|$)
RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule ^ - [E=PREPRESS_PREFLIGHT:1,R=204,L]
RewriteCond %{REQUEST_URI} ^${prefix}/content(?:/|$)
RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$
RewriteRule ^ - [R=404,L]
RewriteCond %{REQUEST_URI} ^${prefix}/content/
RewriteCond %{THE_REQUEST} "${hostileRequest}"
RewriteRule ^ - [R=404,L]

# A missing slash: the path as it was sent, so that nothing decoded reaches a header.
RewriteCond %{REQUEST_URI} ^${prefix}/content/${ANY_ADDRESS}$
RewriteCond %{THE_REQUEST} "^[A-Z]+ ([^? ]+)"
RewriteRule ^ %1/ [NE,R=301,L]

${questions(addresses, { content, prefix })}
${addresses.map((rule) => addressRewrite(site, { content, prefix }, rule)).join('')}
RewriteCond %{REQUEST_URI} "^(?:${site.basePath})?/ghost/api(?:/(?:${ANY_VERSION}))?/content/(.*)$"
RewriteRule ^ ${content}/%1 ${LAST}

# The page about the interface, where there is one; then any folder that is no address.
RewriteCond %{REQUEST_URI} ^${prefix}/content/$
RewriteCond %{REQUEST_FILENAME}/index.html -f
RewriteRule ^ ${content}/index.html ${LAST}
RewriteCond %{REQUEST_URI} ^${prefix}/content(?:/|$)
RewriteCond %{REQUEST_FILENAME} -d
RewriteRule ^ - [R=404,L]

<If "%{REQUEST_URI} =~ m#^${prefix}/content(?:/|$)#">
  Options -Indexes -MultiViews
  DirectorySlash Off
  DirectoryIndex disabled
  FallbackResource disabled
${site.isShared ? '  FileETag None\n  Header unset Last-Modified\n  RequestHeader unset If-Modified-Since\n' : ''}  <IfModule mod_expires.c>
    ExpiresActive Off
  </IfModule>
  ErrorDocument 400 ${content}/${site.queries.otherQueries === 'refuse' ? OTHER_QUERY_FILE : '404.json'}
  ErrorDocument 403 ${content}/404.json
  ErrorDocument 404 ${content}/404.json
  # Others may have set these for every file.
${SHARED_HEADERS.filter((header) => header !== VARY)
  .map(([name]) => `  Header unset ${name}`)
  .join('\n')}
${headers(SHARED_HEADERS)}
  Header unset Cache-Control env=!PREPRESS_PASSED
  Header always set Cache-Control "${DOCUMENT_CACHE}" env=!PREPRESS_PASSED
  Header always set Cache-Control "${BLOB_CACHE}" "expr=%{REQUEST_URI} =~ m#${content}/packed/${blobName(ANY_BLOB)}(?:[.](?:br|gz))?$#"
  Header always set Cache-Control "${REDIRECT_CACHE}" "expr=%{REQUEST_STATUS} == 301"
  Header always set Cache-Control "${NOT_FOUND_CACHE}" "expr=%{REQUEST_STATUS} -ge 400 && -z %{reqenv:PREPRESS_PASSED}"
${site.queries.otherQueries === 'refuse' ? `  Header always set Cache-Control "${REFUSED_CACHE}" "expr=%{REQUEST_STATUS} == 400"\n` : ''}${passedLines(site)}  Header always set ${MEDIA_POLICY[0]} "${MEDIA_POLICY[1]}" "expr=%{REQUEST_URI} =~ m#^${content}/${MEDIA_FOLDERS}# && %{REQUEST_STATUS} -lt 400"
  Header unset ETag "expr=%{REQUEST_STATUS} -ge 400"
  Header unset Last-Modified "expr=%{REQUEST_STATUS} -ge 400"
${DEPRECATED_VERSIONS.map((version) => deprecationLine(site.basePath, version)).join('\n')}
${headers(preflightHeaders('expr=%{req_novary:Access-Control-Request-Headers}'), ' "expr=%{REQUEST_METHOD} == \'OPTIONS\'"')}
${site.encodings.length === 0 ? '' : '  Header merge Vary Accept-Encoding\n'}</If>
`;
};

/** An answer that no server gave; and what readers may not ask the companion server for. */
const passedLines = (site: HostSite): string =>
  companionOf(site) === null
    ? ''
    : `  Header always set Cache-Control "${REFUSED_CACHE}" "expr=%{REQUEST_STATUS} -ge 502 && -n %{reqenv:PREPRESS_PASSED}"
  RequestHeader unset ${STALE_HEADER}
`;

const deprecationLine = (basePath: string, version: string): string => {
  const [name, value] = deprecation(version);
  const path = `^[A-Z]+ (?:${basePath})?/ghost/api/${version}/content[/? ]`;
  return `  Header always set ${name} '${value}' "expr=%{THE_REQUEST} =~ m#${path}#"`;
};

/** An archive among the files of editors is one. */
const typeOfSidecars = (content: string, encoding: Encoding): string => {
  const ending = sidecarOf('', encoding);
  const types = [
    [`(?:${GUARDED_FOLDERS.join('|')})/.*[.]json`, JSON_TYPE],
    [`packed/${blobName('txt')}`, TEXT_TYPE],
  ];
  return types
    .map(
      ([name, type]) => `<If "%{REQUEST_URI} =~ m#^${content}/${name}[.]${ending.slice(1)}$#">
  ForceType "${type}"
  AddEncoding ${encoding} ${ending}
  RemoveLanguage ${ending}
</If>
`,
    )
    .join('');
};

/** The first of two encodings counts. A path that is refused is not looked at. */
const sidecarRule = (content: string, hostile: string, encoding: Encoding): string => {
  const refused = '[ \\t]*q[ \\t]*=[ \\t]*0(?:[.]0*)?[ \\t]*(?:,|$)';
  const taken = `(?:^|,)[ \\t]*${encoding}[ \\t]*(?:,|$|;(?!${refused}))`;
  return `# What lies compressed (${encoding}) is sent so to whom takes it.
RewriteCond %{REQUEST_METHOD} ^(?:GET|HEAD)$
RewriteCond %{THE_REQUEST} "!${hostile}"
RewriteCond %{HTTP:Accept-Encoding} "${taken}" [NC]
RewriteCond %{REQUEST_FILENAME} -f
RewriteCond "%{REQUEST_FILENAME}${sidecarOf('', encoding)}" -f
RewriteCond %{REQUEST_URI} "^(${dotted(content)}(?:(?:${GUARDED_FOLDERS.join('|')})/.+[.]json|packed/${blobName('txt')}))$"
RewriteRule ^ "${sidecarOf('%1', encoding)}" ${LAST}

`;
};

/** The path was decoded once, and what it is rewritten to is decoded again. */
const LAST = '"[B=%?#,L]"';

const headers = (list: readonly (readonly [string, string])[], when = ''): string =>
  headerLines(list, (name, value) => `  Header always set ${name} "${value}"${when}`);

const variableOf = (token: string): string =>
  `PREPRESS_${token.replaceAll('-', '_').toUpperCase()}`;

const filled = (text: string): string => withGroups(text, (group) => `%${group}`);

type Place = { readonly content: string; readonly prefix: string };

/** Rules for paths of a pattern only: the others skip them. */
const onPath = (pattern: string, rules: readonly string[]): string =>
  rules.length === 0
    ? ''
    : `RewriteCond %{REQUEST_URI} "!${pattern}"
RewriteRule ^ - [S=${rules.length}]
${rules.join('')}`;

/** What each query asks for, once for all addresses, kept in variables of the request: the last case that fits counts. */
const questions = (rules: readonly AddressRule[], { prefix }: Place): string =>
  onPath(
    `^${prefix}/content/(?:${RESOURCES.join('|')})/`,
    allQuestions(rules).flatMap((question) =>
      question.cases.toReversed().map(
        (one) => `RewriteCond %{QUERY_STRING} "${casePattern(question, one)}"
RewriteRule ^ - "[E=${variableOf(question.name)}:${filled(one.token)}]"
`,
      ),
    ),
  );

/** Finds the file by what was asked for; the last entry that fits counts. */
const addressRewrite = (site: HostSite, place: Place, rule: AddressRule): string => {
  const content = `^${place.prefix}/content/`;
  const stored = rule.kind === 'record' ? site.names.filter(isReachable) : [];
  const path = rule.kind === 'record' ? `${rule.resource}/.` : `${rule.path}/$`;
  return onPath(`${content}${path}`, [
    ...fileRules(rule),
    ...otherQueryRules(site, place, rule),
    ...stored
      .filter(({ resource }) => resource === rule.resource)
      .map((name) => storedRule(place, name)),
    lookup(rule, `${content}(${rule.path})/$`, `${place.content}/%1`),
  ]);
};

const fileRules = (rule: AddressRule): string[] => {
  const signature = rule.questions.map(({ name }) => `%{ENV:${variableOf(name)}}`).join('');
  return rule.entries.toReversed().map(
    (entry) => `RewriteCond "${signature}" "${entry.pattern}"
RewriteRule ^ - "[E=PREPRESS_FILE:${filled(entry.file)}]"
`,
  );
};

const otherQueryRules = (site: HostSite, place: Place, rule: AddressRule): string[] => {
  if (rule.kind === 'fixed' || site.queries.otherQueries === 'ignore') return [];
  const path = `RewriteCond %{REQUEST_URI} "^${place.prefix}/content/(${rule.path}/)$"\n`;
  const companion = companionOf(site);
  if (companion === null)
    return [`RewriteCond %{ENV:PREPRESS_FILE} ^$\n${path}RewriteRule ^ - [R=400,L]\n`];
  const isList = rule.kind === 'list';
  // The path as it was sent, since the proxy would not encode what ends one.
  return [
    `${isList ? '' : 'RewriteCond %{ENV:PREPRESS_FILE} ^$\n'}${path}${isList ? noFile(place) : ''}RewriteCond %{THE_REQUEST} "^[A-Z]+ [^? ]*?/${exactly('content')}/([^? ]*)"
RewriteRule ^ "${companion.origin}${companion.content}/%1" [P,NE,E=PREPRESS_PASSED:1]
`,
  ];
};

/** Pages past the last one have none, either. The output may be the folder of the site, or have an alias. */
const noFile = ({ content }: Place): string =>
  [...new Set([content, '/content'])]
    .map(
      (folder) =>
        `RewriteCond "%{CONTEXT_DOCUMENT_ROOT}${folder}/%1%{ENV:PREPRESS_FILE}.json" !-f\n`,
    )
    .join('');

const storedRule = (place: Place, { resource, slug, segment }: StoredName): string =>
  conditions(
    `^${place.prefix}/content/(${resource}/slug/)${textPattern(slug)}/$`,
    `RewriteRule ^ "${place.content}/%1${segment}/%{ENV:PREPRESS_FILE}.json" ${LAST}\n`,
  );

const lookup = (rule: AddressRule, path: string, folder: string): string => {
  const file = rule.entries.length === 0 ? 'index' : '%{ENV:PREPRESS_FILE}';
  return conditions(path, `RewriteRule ^ "${folder}/${file}.json" ${LAST}\n`);
};

const conditions = (path: string, rule: string): string =>
  `RewriteCond %{REQUEST_URI} "${path}"\n${rule}`;

/** Apache asks the disk for a name before it reads rules, and refuses what is too long for one. */
export const isReachable = (name: StoredName): boolean =>
  isRoutable(name) && Buffer.byteLength(name.slug) <= FILE_NAME_BYTES_MAX;
