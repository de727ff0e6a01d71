// Asks for a file at an address that somebody else named: each host that it leads to is vetted, redirects are followed
// a few times, and what is no file is a reason.

import { REDIRECTS_MAX } from '../limits.ts';
import type { AllowList } from './addresses.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { type Resolver, systemResolver, vetTarget } from './vet-target.ts';

export type Guard = {
  readonly allow: AllowList;
  readonly resolve?: Resolver;
};

type OpenOptions = {
  readonly guard: Guard;
  readonly bytesMax: number;
  readonly signal?: AbortSignal;
};

/** `url`: where it is, after redirects. */
type OpenedFile = HttpAnswer & { readonly url: URL };

/** `reason` ends a sentence that begins with "it". */
export type NoFile = { readonly reason: string; readonly mayPass: boolean };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const openFile = async (
  http: HttpClient,
  first: URL,
  { guard, bytesMax, signal }: OpenOptions,
): Promise<OpenedFile | NoFile> => {
  const { allow, resolve = systemResolver } = guard;
  let url = first;
  try {
    for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
      const vetted = await vetTarget(url.href, { allow, resolve });
      if (!vetted.isAllowed) return { reason: refusalOf(vetted.reason), mayPass: false };
      const answer = await http.get(url, {
        bytesMax,
        addresses: vetted.addresses,
        ...(signal && { signal }),
      });
      const { status } = answer;
      if (status === 200) return { ...answer, url };
      answer.discard();
      const location = answer.header('location');
      if (!REDIRECTS.has(status) || location === null) {
        return { reason: `is not there (${status})`, mayPass: status === 429 || status >= 500 };
      }
      if (!URL.canParse(location, url.href)) return { reason: 'leads nowhere', mayPass: false };
      url = new URL(location, url);
    }
    return { reason: `is redirected more than ${REDIRECTS_MAX} times`, mayPass: false };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { reason: `cannot be fetched (${code})`, mayPass: true };
  }
};

const refusalOf = (reason: string): string => `is not fetched: ${reason.replace(/\.$/, '')}`;
