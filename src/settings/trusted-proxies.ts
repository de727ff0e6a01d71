// The values of the setting `trustProxy`. It never says "any": then a client would be whoever it claims to be.
import { isNetwork } from './networks.ts';

/** How many proxies stand before this server, or their addresses and networks (CIDR); false: none. */
export type TrustedProxies = false | number | readonly string[];

const PROXIES_MAX = 100;

export const isTrustedProxies = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0 && value.every(isNetwork);
  if (typeof value !== 'number') return value === false;
  return Number.isInteger(value) && value >= 0 && value <= PROXIES_MAX;
};
