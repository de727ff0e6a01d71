// A host and its port as addresses and messages write them: an IPv6 address in brackets.
type Place = { readonly host: string; readonly port: number };

export const hostPort = ({ host, port }: Place): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
