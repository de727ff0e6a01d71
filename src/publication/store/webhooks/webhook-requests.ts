// What a webhook sends in its own way: headers and a body template. Both may hold a token, so they are sealed together; names of
// headers, the preset and whether there is a template are all that is shown of them.

import * as z from 'zod';
import { parseStored } from '../../../base/stored-json.ts';
import type { SecretBox } from '../access/secrets.ts';
import type { Template } from './fill-template.ts';
import type { OwnHeaders } from './own-headers.ts';
import type { StoredRequest } from './webhooks.ts';

export type OwnRequest = {
  readonly headers: OwnHeaders;
  /** Null: the body is Prepress's own. */
  readonly body: Template | null;
};

const shownRequest = z
  .object({
    preset: z.string().nullable(),
    /** Names. */
    headers: z.array(z.string()).readonly(),
    has_body: z.boolean(),
  })
  .readonly();
export type ShownRequest = z.output<typeof shownRequest>;

export const sealRequest = (
  box: SecretBox,
  { headers, body }: OwnRequest,
  preset: string | null,
): StoredRequest => {
  const names = Object.keys(headers);
  if (names.length === 0 && body === null) return { request_sealed: null, request_shown: null };
  const shown: ShownRequest = { preset, headers: names, has_body: body !== null };
  return {
    request_sealed: box.seal(JSON.stringify({ headers, body })),
    request_shown: JSON.stringify(shown),
  };
};

/** Whoever cannot seal cannot have written it. */
export const openRequest = (box: SecretBox, sealed: Buffer | null): OwnRequest =>
  sealed === null ? { headers: {}, body: null } : (JSON.parse(box.open(sealed)) as OwnRequest);

/** Null when headers and body are Prepress's own alone. */
export const showRequest = ({
  request_shown,
}: Pick<StoredRequest, 'request_shown'>): ShownRequest | null =>
  request_shown === null
    ? null
    : parseStored(shownRequest, request_shown, 'What is shown of the request of a webhook');
