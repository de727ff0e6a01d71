// Where the companion server listens. A server that starts again with other settings keeps a port that the system chose.
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { PrepressError } from '../../base/errors.ts';
import { hostPort } from '../../base/net/host-port.ts';
import { findServerPort } from '../../publish/cycle/server-settings.ts';
import { dataPathsOf } from '../../settings/data-paths.ts';
import type { Config } from '../../settings/settings.ts';
import type { createServer } from '../server/create-server.ts';

export type Listening = {
  /** Throws PORT_IN_USE, CONFIG_INVALID. */
  readonly listen: (app: ReturnType<typeof createServer>, config: Config) => Promise<void>;
  /** Origin of the server that listens, or listened last; empty before the first one does. */
  readonly url: () => string;
};

export const createListening = (): Listening => {
  let url = '';
  return {
    url: () => url,
    listen: async (app, config) => {
      const { host, port } = config;
      const chosen = port === 0 && url !== '' ? Number(new URL(url).port) : port;
      try {
        url = await app.listen({ host, port: chosen });
      } catch (cause) {
        const place = hostPort({ host, port: chosen });
        const error = asListenError(cause as NodeJS.ErrnoException, place);
        const isOurs =
          error.code === 'PORT_IN_USE' && findServerPort(dataPathsOf(config)) === chosen;
        throw isOurs ? servedAlready(place, error) : error;
      }
    },
  };
};

/** A second server on another port is seldom what somebody wants. */
const servedAlready = (place: string, cause: PrepressError): PrepressError =>
  new PrepressError('PORT_IN_USE', `Prepress already serves this publication on ${place}.`, {
    hint: `Open http://${place}/, or stop that server first.`,
    cause,
  });

/** For people: why nothing can listen at `place`; `hint` where --port does not choose it. */
export const asListenError = (
  cause: NodeJS.ErrnoException,
  place: string,
  hint?: string,
): PrepressError => {
  if (cause.code === 'EADDRINUSE') {
    const sentence = `${place} is already in use.`;
    return new PrepressError('PORT_IN_USE', sentence, { cause, ...(hint && { hint }) });
  }
  const advice = ADVICE[cause.code ?? ''] ?? '';
  const sentence = `The server cannot listen on ${place} (${cause.code}).${advice}`;
  return new PrepressError('CONFIG_INVALID', sentence, { cause });
};

const ADVICE: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: ' This machine has no such address: use 127.0.0.1, or 0.0.0.0 for all of its own.',
  ENOTFOUND: ' The host name is unknown: use 127.0.0.1, or 0.0.0.0 for all addresses.',
  EACCES: ' The port needs the rights of root: use one from 1024.',
};

/** Before a first start makes anything: the port becomes part of the site's address. Throws as `listen`. */
export const throwIfTaken = async ({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<void> => {
  const probe = createTcpServer();
  try {
    await once(probe.listen({ host, port }), 'listening');
    await once(probe.close(), 'close');
  } catch (cause) {
    throw asListenError(cause as NodeJS.ErrnoException, hostPort({ host, port }));
  }
};
