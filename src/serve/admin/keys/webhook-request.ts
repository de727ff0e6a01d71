// Decides what a webhook sends in its own way: the preset's headers and template, then what was given by hand.
import { invalid } from '../../../base/errors.ts';
import { findHeadersFault, mergeHeaders } from '../../../publication/store/webhooks/own-headers.ts';
import type { OwnRequest } from '../../../publication/store/webhooks/webhook-requests.ts';
import { findTemplateFault } from '../../contract/body-template.ts';
import type { WebhookEditInput } from '../../contract/input/webhook-input.ts';
import { usePreset } from '../../contract/webhook-presets.ts';

type Wanted = {
  readonly known: OwnRequest;
  readonly input: Pick<WebhookEditInput, 'headers' | 'body' | 'preset' | 'token'>;
  /** Of the webhook as it will be. */
  readonly event: string;
  readonly targetUrl: string;
};

/** Throws VALIDATION naming the property; no sentence repeats a value of a header. */
export const planRequest = ({ known, input, event, targetUrl }: Wanted): OwnRequest => {
  const { preset, token = null, headers = {}, body } = input;
  if (preset === undefined && token !== null) {
    throw invalid('token', 'token goes with a preset; give a header of your own as headers.');
  }
  const chosen = preset === undefined ? known : usePreset({ preset, token, targetUrl });
  if ('sentence' in chosen) throw invalid(chosen.property, chosen.sentence);
  const request = {
    headers: mergeHeaders(chosen.headers, headers),
    body: body === undefined ? chosen.body : body,
  };
  const headersFault = findHeadersFault(request.headers);
  if (headersFault !== null) throw invalid('headers', `headers ${headersFault}.`);
  const bodyFault = request.body === null ? null : findTemplateFault(request.body, event);
  if (bodyFault !== null) throw invalid('body', bodyFault);
  return request;
};
