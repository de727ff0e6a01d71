// What a store answers, or why it cannot be asked, as one sentence that names the option which mends it.
import { PrepressError } from '../../../base/errors.ts';

export type S3Place = {
  readonly bucket: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
};

const REGION = 'Name the region of the bucket with --region or AWS_REGION.';
const ENDPOINT = 'Name the store with --endpoint, such as --endpoint https://s3.example.com.';
const SILENT = 'Check that the store answers at that address.';
const CREDENTIALS =
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.';
const BOTH = 'Check the bucket, --endpoint and --region.';

/** By name or code of the error. */
const ADVICE: Readonly<Record<string, string>> = {
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
  IllegalLocationConstraintException: REGION,
  CredentialsProviderError: CREDENTIALS,
  InvalidAccessKeyId: `${CREDENTIALS} ${ENDPOINT}`,
  SignatureDoesNotMatch: CREDENTIALS,
  AccessDenied: 'Check the rights of the credentials.',
  NoSuchBucket: BOTH,
  NotFound: BOTH,
  ENOTFOUND: BOTH,
  EAI_AGAIN: BOTH,
  ECONNREFUSED: ENDPOINT,
  ECONNRESET: ENDPOINT,
  ERR_INVALID_URL: ENDPOINT,
  Unknown: ENDPOINT,
};

/** By code or name of the error: nothing answered at the address that was named. */
const UNANSWERED = /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError)$/;

/** What the client throws before it asks, by the beginning of its sentence. */
const REGION_MESSAGE = /^Region (?:is missing|not accepted)/;

/** DEPLOY_FAILED; an error of Prepress itself stays what it is. */
export const asS3Error = (cause: unknown, place: S3Place): unknown => {
  if (cause instanceof PrepressError) return cause;
  const { name = 'Error', message = '' } = cause instanceof Error ? cause : {};
  const { code } = cause as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''] ?? (name === 'Error' ? message : name);
  const sentence = `${nameOf(place)} cannot be used: ${reason.replace(/\.$/, '')}.`;
  const advice = adviceOn({ name, message, code }, place);
  return new PrepressError('DEPLOY_FAILED', `${sentence} ${advice}`, { cause });
};

type Failure = Pick<NodeJS.ErrnoException, 'name' | 'message' | 'code'>;

const adviceOn = ({ name, message, code = name }: Failure, { endpoint }: S3Place): string => {
  if (REGION_MESSAGE.test(message)) return REGION;
  if (endpoint !== undefined && UNANSWERED.test(code)) return SILENT;
  return ADVICE[code] ?? ADVICE[name] ?? BOTH;
};

const REASONS: Readonly<Record<string, string>> = {
  ERR_INVALID_URL: 'the endpoint is not a URL',
};

const nameOf = ({ bucket, endpoint, region }: S3Place): string => {
  const at = endpoint === undefined ? '' : ` at ${endpoint}`;
  return `The bucket ${bucket}${at}${region === undefined ? '' : ` in ${region}`}`;
};
