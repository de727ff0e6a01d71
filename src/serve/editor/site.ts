// What use cases and readers of bodies know of the site's addresses.

export type Site = {
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** Pattern of post addresses. */
  readonly permalinks?: string;
  /** Public addresses, without a trailing slash, below which this server has the site's pictures and files too. */
  readonly uploadUrls?: readonly string[];
  /** False when the avatar service is disabled. */
  readonly hasAvatars?: boolean;
};

/** What html says of sizes of pictures. */
export type Pictures = {
  /** In which pictures are made; none: html names no sizes. */
  readonly widths: readonly number[];
  /** Where pictures are kept: folders that hold images/. */
  readonly folders: readonly string[];
};

export const NO_PICTURES: Pictures = { widths: [], folders: [] };
