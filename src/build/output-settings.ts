// The settings that reach the output, from the configuration and from the publication's own.
import { PrepressError } from '../base/errors.ts';
import { parseSiteUrl } from '../base/site-address.ts';
import type { Config } from '../config/settings.ts';
import type { RenderSettings } from '../documents/renderer.ts';
import type { Resource } from '../paths/endpoints.ts';
import type { Encoding } from '../paths/sidecars.ts';

export type OutputSettings = {
  readonly render: RenderSettings;
  /** Records in each page of a list; absent: one list holds all. */
  readonly limits: Readonly<Partial<Record<Resource, number>>>;
  /** Each document has a sidecar of each. */
  readonly encodings: readonly Encoding[];
};

/** The site's address: the setting, else what the import was told, else this machine. */
export const namedSiteUrl = (config: Config, stored: string | null | undefined): string =>
  config.siteUrl ?? (stored || `http://localhost:${config.port}`);

/** As namedSiteUrl; throws SITE_URL_INVALID for one that another program wrote into the database. */
export const siteUrlOf = (config: Config, stored: string | null | undefined): string => {
  const named = namedSiteUrl(config, stored);
  const url = named === config.siteUrl ? named : parseSiteUrl(named);
  if (url !== null) return url;
  const shown = JSON.stringify(named.slice(0, SHOWN_MAX));
  const sentence = `${shown} is no absolute http or https address of a site.`;
  throw new PrepressError('SITE_URL_INVALID', sentence, { property: 'url' });
};

const SHOWN_MAX = 100;

export const outputSettingsOf = (
  config: Config,
  publication: ReadonlyMap<string, string | null>,
): OutputSettings => {
  const limits: Partial<Record<Resource, number>> = {};
  for (const resource of ['posts', 'pages', 'tags', 'authors'] as const) {
    const limit = config[`lists.${resource}.limit`];
    if (limit !== undefined) limits[resource] = limit;
  }
  return {
    render: {
      siteUrl: siteUrlOf(config, publication.get('url')),
      timezone: publication.get('timezone') || 'Etc/UTC',
      outboundLinkTagging: !['false', '0'].includes(publication.get('outbound_link_tagging') ?? ''),
      permalinks: config.permalinks,
    },
    limits,
    encodings: config.precompress,
  };
};
