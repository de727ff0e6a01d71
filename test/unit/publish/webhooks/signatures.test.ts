import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  createSecret,
  faultOfSecret,
  standardSecret,
} from '../../../../src/publication/store/webhooks/webhook-secret.ts';
import { signatureHeaders } from '../../../../src/publish/webhooks/sending/signatures.ts';

test('the vector of the Standard Webhooks suite', () => {
  const headers = signatureHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', now: 1_614_265_330_000 },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(headers['webhook-timestamp']).toBe('1614265330');
});

test('a secret of plain text verifies with the form that is shown for it', () => {
  const now = Date.now();
  const headers = signatureHeaders({ id: 'm', body: 'x', now }, ['any text']);
  expect(() => new Webhook(standardSecret('any text')).verify('x', headers)).toThrow(/JSON/);
  expect(standardSecret('any text')).toBe(
    `whsec_${createHash('sha256').update('any text').digest('base64')}`,
  );
});

describe('secrets', () => {
  test('a made one is good and shown as it is', () => {
    const secret = createSecret();
    expect(faultOfSecret(secret)).toBeNull();
    expect(standardSecret(secret)).toBe(secret);
  });
  // Text that is nearly base64 would be signed with another key than its receiver has.
  test.each(['A'.repeat(33), `${'A'.repeat(32)}==`, `${'A'.repeat(34)}=`])(
    'whsec_%s is refused',
    (text) => expect(faultOfSecret(`whsec_${text}`)).not.toBeNull(),
  );
  test.each(['whsec_', 'whsec_short', 'whsec_!!!', `whsec_${Buffer.alloc(65).toString('base64')}`])(
    '%s is refused',
    (secret) => expect(faultOfSecret(secret)).toContain('24 to 64 bytes'),
  );
  test.each(['', 'plain', 'x'.repeat(191)])('%s is any text', (secret) =>
    expect(faultOfSecret(secret)).toBeNull(),
  );
});
