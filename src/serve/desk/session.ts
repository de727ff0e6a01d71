// The admin key of this tab: kept in session storage, so that it goes with the tab, and used to sign a token for each
// request. It is never sent, and never part of an address.
import { SignJWT } from 'jose';

const NAME = 'prepress-admin-key';
const KEY = /^([0-9a-f]{24}):([0-9a-f]{64})$/i;
const LIFE_S = 240;

export type AdminKey = { readonly id: string; readonly secret: string };

/** `id:secret`, as the server shows it; null for another text. */
export const parseKey = (text: string): AdminKey | null => {
  const [, id, secret] = KEY.exec(text.trim()) ?? [];
  return id === undefined || secret === undefined ? null : { id: id.toLowerCase(), secret };
};

export const findKey = (): AdminKey | null => parseKey(sessionStorage.getItem(NAME) ?? '');

export const keepKey = ({ id, secret }: AdminKey): void =>
  sessionStorage.setItem(NAME, `${id}:${secret}`);

export const dropKey = (): void => sessionStorage.removeItem(NAME);

/** `aheadMs`: by how much this computer's clock is ahead of the server's. */
export const signToken = ({ id, secret }: AdminKey, aheadMs = 0): Promise<string> => {
  const now = Math.floor((Date.now() - aheadMs) / 1000);
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: id, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + LIFE_S)
    .setAudience('/admin/')
    .sign(bytes);
};
