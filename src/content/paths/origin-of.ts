// How a webhook's target is named where strangers may read it: its path and query may hold a secret.

export const originOf = (targetUrl: string): string =>
  URL.canParse(targetUrl) ? new URL(targetUrl).origin : 'its target';
