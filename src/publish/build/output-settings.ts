// The settings that reach the output, from the configuration and from the publication's own.
import { toText } from '../../base/text/stored-text.ts';
import { trimEndOf } from '../../base/text/trim-of.ts';
import { type ListPages, resolveListPages } from '../../content/paths/list-pages.ts';
import type { Encoding } from '../../content/paths/sidecars.ts';
import type { RenderSettings } from '../../publication/documents/renderer.ts';
import { answersAll } from '../../settings/host-names.ts';
import type { Config } from '../../settings/settings.ts';

export type OutputSettings = {
  readonly render: RenderSettings;
  /** Each document has a sidecar of each. */
  readonly encodings: readonly Encoding[];
  /** Records of a list or an answer, at most. */
  readonly listMax: number;
  /** Pages of each list that are files. */
  readonly listPages: ListPages;
  readonly searchIndex: boolean;
  /** How long blobs of earlier generations stay. */
  readonly keepHours: number;
};

/**
 * The site's address: the setting, else what the import was told, else this machine. Another program may have
 * stored it as anything; a slash at its end would be doubled in every address.
 */
export const siteUrlOf = (config: Pick<Config, 'siteUrl' | 'port'>, stored: unknown): string =>
  config.siteUrl ?? (trimEndOf(toText(stored), '/') || `http://localhost:${config.port}`);

export const listPagesOf = (config: Pick<Config, 'deploy' | 'hosts' | 'lists.pages'>): ListPages =>
  resolveListPages(config['lists.pages'], {
    answersAll: config.hosts.map(answersAll),
    isDeployed: config.deploy.length > 0,
  });

export const outputSettingsOf = (
  config: Config,
  publication: ReadonlyMap<string, string | null>,
): OutputSettings => {
  const listMax = config['lists.max'];
  return {
    render: {
      siteUrl: siteUrlOf(config, publication.get('url')),
      timezone: publication.get('timezone') || 'Etc/UTC',
      outboundLinkTagging: !['false', '0'].includes(publication.get('outbound_link_tagging') ?? ''),
      permalinks: config.permalinks,
      ...(config.shape === 'ghost' && {
        ghost: { hasComments: publication.get('comments_enabled') !== 'off' },
      }),
    },
    encodings: config.precompress,
    listMax,
    listPages: listPagesOf(config),
    searchIndex: config.searchIndex,
    keepHours: config.keepReplacedHours,
  };
};
