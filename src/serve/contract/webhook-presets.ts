// Presets: what receivers that many people have expect of a webhook, so that address and token are all that has to be given.
// The path of an address is checked, not its host: GitHub and GitLab also run on machines of their owners.
import type { Template } from '../../publication/store/webhooks/fill-template.ts';
import type { OwnHeaders } from '../../publication/store/webhooks/own-headers.ts';

export type WebhookPreset = {
  readonly name: string;
  /** As the receiver calls itself. */
  readonly title: string;
  /** The form of its address. */
  readonly address: string;
  readonly path: RegExp;
  /** What the token is; null where the address is all that is secret. */
  readonly token: string | null;
  readonly headers?: (token: string) => OwnHeaders;
  /** Absent: an empty object. */
  readonly body?: (token: string) => Template;
};

export const WEBHOOK_PRESETS: readonly WebhookPreset[] = [
  {
    name: 'github',
    title: 'GitHub Actions (repository_dispatch)',
    address: 'https://api.github.com/repos/OWNER/REPOSITORY/dispatches',
    path: /^(?:\/api\/v3)?\/repos\/[^/]+\/[^/]+\/dispatches$/,
    token: 'A fine-grained token with write access to the contents of the repository',
    headers: (token) => ({
      Authorization: `Bearer ${token}`,
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
    }),
    body: () => ({
      event_type: '{{event}}',
      client_payload: {
        generation: '{{generation}}',
        site: '{{site.url}}',
        title: '{{title}}',
        url: '{{url}}',
        all: '{{all}}',
        tags: '{{tags}}',
      },
    }),
  },
  {
    name: 'gitlab',
    title: 'GitLab (pipeline trigger)',
    address: 'https://gitlab.com/api/v4/projects/ID/ref/BRANCH/trigger/pipeline',
    path: /^\/api\/v4\/projects\/[^/]+\/ref\/[^/]+\/trigger\/pipeline$/,
    token: 'A pipeline trigger token',
    body: (token) => ({
      token,
      // GitLab takes texts alone.
      variables: {
        PREPRESS_EVENT: '{{event}}',
        PREPRESS_SITE: '{{site.url}}',
        PREPRESS_URL: '{{url}}',
      },
    }),
  },
  {
    name: 'netlify',
    title: 'Netlify (build hook)',
    address: 'https://api.netlify.com/build_hooks/ID',
    path: /^\/build_hooks\/[\w-]+$/,
    token: null,
    body: () => ({ event: '{{event}}', generation: '{{generation}}' }),
  },
  {
    name: 'vercel',
    title: 'Vercel (deploy hook)',
    address: 'https://api.vercel.com/v1/integrations/deploy/PROJECT/HOOK',
    path: /^\/v1\/integrations\/deploy\/[\w-]+\/[\w-]+$/,
    token: null,
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare (deploy hook)',
    address: 'https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/ID',
    path: /^\/client\/v4\/(?:pages\/webhooks|workers\/builds)\/deploy_hooks\/[\w-]+$/,
    token: null,
  },
  {
    name: 'slack',
    title: 'Slack (incoming webhook)',
    address: 'https://hooks.slack.com/services/T/B/KEY',
    path: /^\/services\/[^/]+\/[^/]+\/[^/]+$/,
    token: null,
    // Elements of rich text are shown as they are: a title such as "<!channel>" calls nobody.
    body: () => ({
      text: '{{event}}',
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: '{{event}}: {{title}} ' },
                { type: 'link', url: '{{url}}' },
              ],
            },
          ],
        },
      ],
    }),
  },
];

export const WEBHOOK_PRESET_NAMES = WEBHOOK_PRESETS.map(({ name }) => name);

type Chosen = {
  readonly preset: string;
  readonly token: string | null;
  readonly targetUrl: string;
};

export type PresetFault = { readonly property: string; readonly sentence: string };

/** The headers and the template, or what is wrong; the preset is one that exists. */
export const usePreset = ({
  preset,
  token,
  targetUrl,
}: Chosen): { readonly headers: OwnHeaders; readonly body: Template } | PresetFault => {
  const found = WEBHOOK_PRESETS.find(({ name }) => name === preset);
  if (found === undefined) {
    const names = WEBHOOK_PRESET_NAMES.join(', ');
    return { property: 'preset', sentence: `preset must be one of ${names}.` };
  }
  if (!found.path.test(new URL(targetUrl).pathname)) {
    const sentence = `The preset ${preset} sends to an address such as ${found.address}.`;
    return { property: 'target_url', sentence };
  }
  if ((found.token === null) !== (token === null)) {
    const sentence =
      found.token === null
        ? `The preset ${preset} takes no token: its address is the secret.`
        : `The preset ${preset} needs a token: ${lowered(found.token)}.`;
    return { property: 'token', sentence };
  }
  return { headers: found.headers?.(token ?? '') ?? {}, body: found.body?.(token ?? '') ?? {} };
};

export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
