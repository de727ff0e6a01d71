// Names for hosts that read neither queries nor rules: each address has an `index.html` that holds the bytes
// of one variant, and `404.html` holds those of 404.json.
import { RESOURCES, type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import {
  FIXED_FILES,
  fileIn,
  idFolder,
  listFile,
  NOT_FOUND_FILE,
  slugFolder,
} from '../../../content/paths/files.ts';
import { keptVariant } from '../../../content/paths/selection.ts';
import type { HostSite, TreeCopy } from '../host.ts';

/** Records come before lists. */
export const indexCopies = (site: HostSite): TreeCopy[] => {
  const content = contentOf(site);
  return [
    ...RESOURCES.flatMap((resource) => recordCopies(site, resource)),
    ...RESOURCES.map((resource) => ({
      path: `${content}/${resource}/index.html`,
      source: `${content}/${listFile(resource, defaultList(site, resource))}`,
    })),
    ...FIXED_FILES.map((file) => ({
      path: `${content}/${file.replace(/json$/, 'html')}`,
      source: `${content}/${file}`,
    })),
    // Of the host, and of a site that is one folder of it.
    ...[...new Set(['', site.basePath])].map((place) => ({
      path: `${place}/404.html`.slice(1),
      source: `${content}/${NOT_FOUND_FILE}`,
    })),
  ];
};

const contentOf = ({ basePath }: HostSite): string => `${basePath}/content`.slice(1);

const recordCopies = (site: HostSite, resource: Resource): TreeCopy[] => {
  const variant = defaultRecord(site, resource);
  const content = contentOf(site);
  return site
    .segments(resource)
    .flatMap(({ id, segment }) => [idFolder(resource, id), slugFolder(resource, segment)])
    .map((folder) => ({
      path: `${content}/${folder}/index.html`,
      source: `${content}/${fileIn(folder, variant)}`,
    }));
};

/** The variant that an address shows, whatever its query. */
export const defaultRecord = (
  { defaultVariants, selection }: Pick<HostSite, 'defaultVariants' | 'selection'>,
  resource: Resource,
): string => {
  const names = SHAPES[resource].recordVariants;
  const asked = defaultVariants.find((name) => names.includes(name)) ?? 'index';
  return keptVariant(resource, asked, selection.variants);
};

export const defaultList = (
  { defaultVariants }: Pick<HostSite, 'defaultVariants'>,
  resource: Resource,
): string => {
  const names = SHAPES[resource].listVariants.map(({ name }) => name);
  return defaultVariants.find((name) => names.includes(name)) ?? 'index';
};
