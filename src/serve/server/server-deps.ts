// What the server is given to work with. It imports no room of its own floor; cli/ wires these.
import type { FastifyBaseLogger } from 'fastify';
import type { Resource } from '../../content/paths/endpoints.ts';
import type { Config } from '../../settings/settings.ts';
import type { UploadPort } from '../admin/uploads/uploads.ts';
import type { UseCaseContext } from '../admin/use-case-context.ts';

export type PublisherPort = {
  /** A hint that something was written; the publisher would notice without it. */
  readonly wake: () => void;
  /** Asks for a build; answers its id at once. `requestedBy` says who, without a secret. */
  readonly requestBuild: (requestedBy: string) => Promise<{ readonly id: string }>;
  /** What `GET /admin/state/` shows. */
  readonly state: () => object;
  /** How far the first build since the start is, pages for people included; null once it has ended. */
  readonly firstBuild: () => BuildProgress | null;
};

/** Records that are done, and about as many as there will be; a total of 0 is not known yet. */
export type BuildProgress = { readonly records: number; readonly total: number };

/** What a build says of the tree, so that requests need not ask the disk. */
export type TreePort = {
  /** Another text once a build has begun or ended. */
  readonly version: () => string;
  /** A list, or another file that is not a record's, as it was written. */
  readonly file: (
    path: string,
  ) => { readonly sha256: Buffer; readonly statKey: string } | undefined;
};

export type UploadsPort = UploadPort & {
  /** Folder that holds them until they are taken; nobody else reads it. */
  readonly folder: string;
};

export type ServerDeps = {
  readonly config: Config;
  readonly context: UseCaseContext;
  readonly publisher: PublisherPort;
  readonly uploads: UploadsPort;
  /** Segment of a slug that does not stand as it is in its path, or undefined. */
  readonly storedSegment: (resource: Resource, slug: string) => string | undefined;
  /** Absent: every request asks the disk whether its file is as it was. */
  readonly tree?: TreePort;
  /** Public origin of this server, without a trailing slash; known once it listens. */
  readonly adminOrigin: () => string;
  /** A pino logger; absent: nothing is logged. */
  readonly logger?: FastifyBaseLogger;
  /** Whether each request has its line in the log; absent: yes. */
  readonly logsRequests?: boolean;
};
