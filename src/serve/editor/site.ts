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
