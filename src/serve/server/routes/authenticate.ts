// Who asks, on the admin interface: a JWT signed with an admin key (decisions, Admin). Every failure is the
// same 401. Whatever stands as the key's id, the same work is done: one row read, one secret opened, one
// signature checked. So the time tells nothing about which keys exist.
import { randomBytes } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { isId } from '../../../base/ids.ts';
import { parseJsonObject } from '../../../base/text/json-value.ts';
import { findSigner } from '../../../publication/store/access/keys.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';

export type Authenticate = (authorization: string | undefined) => Promise<string | null>;

const SCHEME = /^(?:Ghost|Bearer) +(\S+)$/i;
const TOKEN_CHARACTERS_MAX = 4096;
const AUDIENCE = /^\/(?:(?:v\d+|canary)\/)?admin\/$/;
const LIFE_MAX_S = 300;
const AHEAD_MAX_S = 60;
const KEY_BYTES = 32;
/** Looked up for what cannot be an id. */
const NO_ID = '0'.repeat(24);

type AuthContext = Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>;

/** Answers the id of the admin key that signed the token, or null for anything else. */
export const createAuthenticate = (context: AuthContext): Authenticate => {
  const standIn = context.secretBox.seal(randomBytes(KEY_BYTES).toString('hex'));
  return async (authorization) => {
    const token = SCHEME.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > TOKEN_CHARACTERS_MAX) return null;
    const header = readHeader(token);
    if (header?.alg !== 'HS256') return null;
    const { id, secret } = await findSigningKey(context, header.kid, standIn);
    const isValid = await verify(token, secret, context.clock.now());
    return isValid ? id : null;
  };
};

const readHeader = (token: string): { alg?: unknown; kid?: unknown } | null => {
  const [header = ''] = token.split('.');
  return parseJsonObject(Buffer.from(header, 'base64url').toString('utf8'));
};

const findSigningKey = async (
  { store, secretBox }: AuthContext,
  kid: unknown,
  standIn: Buffer,
): Promise<{ id: string | null; secret: Buffer }> => {
  const row = await findSigner(store, typeof kid === 'string' && isId(kid) ? kid : NO_ID);
  const isInForce = row?.id === kid && row?.type === 'admin' && row.revoked_at === null;
  const key = isInForce ? row : null;
  const secret = Buffer.from(secretBox.open(key?.secret_sealed ?? standIn), 'hex');
  if (secret.length === KEY_BYTES) return { id: key?.id ?? null, secret };
  return { id: null, secret: randomBytes(KEY_BYTES) };
};

const verify = async (token: string, secret: Buffer, nowMs: number): Promise<boolean> => {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      currentDate: new Date(nowMs),
      requiredClaims: ['iat', 'exp', 'aud'],
    });
    const { iat = Number.NaN, exp = Number.NaN, aud } = payload;
    const life = exp - iat;
    return (
      [aud].flat().some((name) => typeof name === 'string' && AUDIENCE.test(name)) &&
      iat <= nowMs / 1000 + AHEAD_MAX_S &&
      life >= 0 &&
      life <= LIFE_MAX_S
    );
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
};
