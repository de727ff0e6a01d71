// Rules for the virtual host of a Ghost that Apache passes requests on to: what Ghost could take for its content interface is
// taken before that, and looked for in the output; the rules of that folder do the rest.
import { ANY_VERSION } from '../../../content/paths/content-path.ts';
import { GUARDED_FOLDERS } from '../../../content/paths/files.ts';
import type { HostSite } from '../host.ts';
import { checkRoot, quoted } from '../rules/addresses.ts';
import { decodedBelowApi, plainAdmin, sentBelowApi } from '../rules/shield.ts';
import { dotted } from '../rules/spellings.ts';

export const SHIELD_FILE = 'prepress-shield.conf';

/** Where the content interface is, when a Ghost has the addresses below `/content`. */
export const shieldContent = ({ basePath }: Pick<HostSite, 'basePath'>): string =>
  `${basePath}/ghost/api/content`;

/** `folderRules` are those of the output; `hostileRequest` is a pattern of request lines. Throws VALIDATION for an output that rules have no name for. */
export const shieldRules = (
  site: HostSite,
  {
    folderRules,
    hostileRequest,
  }: { readonly folderRules: string; readonly hostileRequest: string },
): string => {
  checkRoot('Apache', site.root, /[$%]/);
  const content = shieldContent(site);
  const alias = `^${dotted(site.basePath)}/ghost/api(?:/(?:${ANY_VERSION}))?/content`;
  const line = (pattern: string): string => pattern.replace('^', '^[A-Z]+ ').replace('|$)', '| )');
  return `# Written by "prepress hosts write apache --shield". Include it in the virtual host of a Ghost, before other rules and ProxyPass.
RewriteEngine On

# What the rules below name.
RewriteCond %{ENV:REDIRECT_STATUS} !^$
RewriteRule "^${content}/" - [E=no-proxy:1,L]

# What Ghost could take for its content interface, in any spelling, never gets there.
RewriteCond %{REQUEST_URI} "${decodedBelowApi(site)}" [OR]
RewriteCond %{THE_REQUEST} "${line(sentBelowApi(site))}"
RewriteCond %{THE_REQUEST} "${hostileRequest}" [OR]
RewriteCond %{THE_REQUEST} "!${line(plainAdmin(site))}"
RewriteRule ^ - [E=PREPRESS_SHIELDED:1,E=no-proxy:1]
RewriteCond %{ENV:PREPRESS_SHIELDED} =1
RewriteRule "!${alias}/(?:${GUARDED_FOLDERS.join('|')})(?:/|$)" "${content}/.absent" [PT,L]
RewriteCond %{ENV:PREPRESS_SHIELDED} =1
RewriteRule ^ - [L]
AliasMatch "${alias}(/.*)?$" ${quoted(`${site.root}${site.basePath}/content$1`)}

<Directory ${quoted(`${site.root}${site.basePath}/content`)}>
Options FollowSymLinks
AllowOverride None
Require all granted
${folderRules}</Directory>
`;
};
