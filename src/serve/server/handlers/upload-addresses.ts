// Addresses of uploaded files: an answer names the one that was asked, so that it works at once for who asked; what is
// saved with such an address is the site's.
import type { FastifyRequest } from 'fastify';
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { publicBase } from '../routes/admin-base.ts';
import type { ServerDeps } from '../server-deps.ts';

export type UploadAddresses = {
  /** `path`: below `content/`. */
  readonly urlOf: (request: FastifyRequest, path: string) => string;
  /** The path of an address that `urlOf` gave, or of the site's own; null: it is another. */
  readonly pathOf: (url: string) => string | null;
  /** Use cases that know these addresses. */
  readonly context: UseCaseContext;
};

/** Names that uploads get, and others that hosts take as they are. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Clients come by few names; what is beyond was made up. */
const BASES_MAX = 50;

const CONTENT = '/content/';

export const createUploadAddresses = (deps: ServerDeps): UploadAddresses => {
  const { config, context } = deps;
  const asked = new Set<string>();
  const bases = (): string[] => [publicBase(deps), ...asked];
  const baseOf = ({ protocol, host }: FastifyRequest): string =>
    config.adminUrl === undefined ? `${protocol}://${host}${config.basePath}` : publicBase(deps);
  return {
    urlOf: (request, path) => {
      const base = baseOf(request);
      if (asked.size < BASES_MAX) asked.add(base);
      return `${base}/content/${path}`;
    },
    pathOf: (url) => {
      const at = url.indexOf(CONTENT);
      const path = url.slice(at + CONTENT.length);
      const [folder = '', ...names] = path.split('/');
      const isPlain = names.length > 0 && names.every((name) => NAME.test(name));
      return at >= 0 && IMAGE_FOLDERS.some((one) => one === folder) && isPlain ? path : null;
    },
    context: {
      ...context,
      site: async () => ({ ...(await context.site()), uploadUrls: bases() }),
    },
  };
};
