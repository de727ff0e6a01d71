// Which addresses a shield keeps from the Ghost behind it. Express takes them in any case, with doubled slashes, and does not
// tidy them up as servers before it do; Ghost drops the name of a version wherever a path has it first, so that it reads
// `/ghost/api/cov3/ntent/` as `/ghost/api/content/`. So all below `/ghost/api` is kept, but the plain addresses of the
// admin interface. Plain enough for PCRE and RE2.
import { ANY_VERSION } from '../../../content/paths/content-path.ts';
import type { HostSite } from '../host.ts';
import { dotted } from './spellings.ts';

type Placed = Pick<HostSite, 'basePath'>;

const SLASHES = '[/\\x5c]+';

const below = ({ basePath }: Placed): string =>
  dotted(`${basePath}/ghost/api`).replaceAll('/', SLASHES);

/** Of a path as it was sent. */
export const sentBelowApi = (site: Placed): string => `(?i)^${below(site)}`;

/** The same, decoded, whether or not a server has tidied it up. */
export const decodedBelowApi = (site: Placed): string => `(?i)(?:^|/[.]+)${below(site)}`;

/** What Ghost may answer there, of a path as it was sent that hides nothing. */
export const plainAdmin = ({ basePath }: Placed): string =>
  `^${dotted(basePath)}/ghost/api/(?:(?:${ANY_VERSION})/)?admin(?:[/?]|$)`;
