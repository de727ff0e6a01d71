// Who asks, on the admin interface: a JWT signed with an admin key (decisions, Admin). Every failure is
// the same 401, and takes as long whether the key exists or not.
import { errors, jwtVerify } from 'jose';
import type { UseCaseContext } from '../../admin/context.ts';
import { isId } from '../../base/ids.ts';
import { findKeyById } from '../../store/keys.ts';

export type Authenticate = (authorization: string | undefined) => Promise<string | null>;

const SCHEME = /^(?:Ghost|Bearer) +(\S+)$/i;
const TOKEN_CHARACTERS_MAX = 4096;
const AUDIENCE = /^\/(?:(?:v\d+|canary)\/)?admin\/$/;
const LIFE_MAX_S = 300;
const AHEAD_MAX_S = 60;
const KEY_BYTES = 32;
const NO_KEY = { id: null, secret: Buffer.alloc(KEY_BYTES, 1) };

type AuthContext = Pick<UseCaseContext, 'store' | 'clock' | 'secretBox'>;

/** Answers the id of the admin key that signed the token, or null for anything else. */
export const createAuthenticate = (context: AuthContext): Authenticate => {
  return async (authorization) => {
    const token = SCHEME.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > TOKEN_CHARACTERS_MAX) return null;
    const header = readHeader(token);
    if (header?.alg !== 'HS256') return null;
    const key = await findSigningKey(context, header.kid);
    const isValid = await verify(token, key.secret, context.clock.now());
    return isValid ? key.id : null;
  };
};

const readHeader = (token: string): { alg?: unknown; kid?: unknown } | null => {
  try {
    const [header = ''] = token.split('.');
    return JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
};

const findSigningKey = async (
  { store, secretBox }: AuthContext,
  kid: unknown,
): Promise<{ id: string | null; secret: Buffer }> => {
  const row =
    typeof kid === 'string' && isId(kid) ? await findKeyById(store.reader, kid) : undefined;
  if (row === undefined || row.type !== 'admin') return NO_KEY;
  const secret = Buffer.from(secretBox.open(row.secret_sealed), 'hex');
  return secret.length === KEY_BYTES ? { id: row.id, secret } : NO_KEY;
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
      typeof aud === 'string' &&
      AUDIENCE.test(aud) &&
      iat <= nowMs / 1000 + AHEAD_MAX_S &&
      life >= 0 &&
      life <= LIFE_MAX_S
    );
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
};
