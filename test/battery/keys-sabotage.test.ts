// Promises about keys, their webhooks and the mails they cause: each test must fail on a source that breaks
// its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const keysByKey = 'src/admin/keys-by-key.ts';
const authenticate = 'src/server/admin/authenticate.ts';
const attempt = 'src/delivery/attempt.ts';
const verifySender = 'src/admin/verify-sender.ts';
const webhookInput = 'src/contract/admin/webhook-input.ts';

const AUTHENTICATE = 'test/unit/server/authenticate.test.ts';
const RIGHTS = 'test/unit/server/key-rights.test.ts';
const MAILS = 'test/unit/admin/sender-mails.test.ts';
const WEBHOOKS = 'test/unit/admin/webhooks.test.ts';
const ATTEMPT = 'test/unit/delivery/attempt.test.ts';

const ROWS: readonly Row[] = [
  [
    'a webhook is changed by its own key or an owner key',
    RIGHTS,
    {
      file: 'src/admin/webhooks.ts',
      replace: 'row.integration_id === keyId || (await isOwnerKey(writer, keyId))',
      by: 'row.integration_id !== id || (await isOwnerKey(writer, keyId))',
    },
  ],
  [
    'deliveries of other keys are not listed',
    RIGHTS,
    {
      file: 'src/server/admin/delivery-routes.ts',
      replace: '...(!isOwner && { integrationId: request.adminKeyId }),',
      by: '...(!isOwner && {}),',
    },
  ],
  [
    'a key revokes itself alone',
    RIGHTS,
    { file: keysByKey, replace: 'if (id !== keyId && !(await', by: "if (id === '' && !(await" },
  ],
  [
    'a key that is no owner key makes no keys',
    RIGHTS,
    {
      file: keysByKey,
      replace: 'if (await isOwnerKey(context.store.reader, keyId)) {',
      by: "if (keyId !== '' || (await isOwnerKey(context.store.reader, keyId))) {",
    },
  ],
  [
    'the last owner key stays',
    RIGHTS,
    {
      file: keysByKey,
      replace: 'return owners.length === 1 &&',
      by: 'return owners.length < 0 &&',
    },
  ],
  [
    'a row is read for every key id',
    AUTHENTICATE,
    {
      file: 'src/store/keys.ts',
      replace: '.orderBy(sql`id = $',
      by: ".where('id', '=', id).orderBy(sql`id = $",
    },
  ],
  [
    'an unknown key id costs as much as a known one',
    AUTHENTICATE,
    {
      file: authenticate,
      replace: 'secretBox.open(key?.secret_sealed ?? standIn)',
      by: 'key === null ? standIn.toString("hex", 0, 32) : secretBox.open(key.secret_sealed)',
    },
  ],
  [
    'a key is noted once a minute',
    'test/unit/server/key-sightings.test.ts',
    {
      file: 'src/server/key-sightings.ts',
      replace: 'Math.abs(now - last) < AGAIN_MS',
      by: 'Math.abs(now - last) < 0',
    },
  ],
  [
    'at most twenty mails an hour are sent for one key',
    MAILS,
    {
      file: verifySender,
      replace: 'const MAILS_OF_KEY_MAX = 20;',
      by: 'const MAILS_OF_KEY_MAX = 200;',
    },
  ],
  [
    'a save whose mail was not taken stores nothing',
    MAILS,
    {
      file: verifySender,
      replace: '    throw error;\n  }\n  return token;',
      by: '  }\n  return token;',
    },
  ],
  [
    'a mail that was not taken counts for nothing',
    MAILS,
    {
      file: verifySender,
      replace: 'await store.write((writer) => deleteVerificationMail(writer, mail.id));',
      by: '',
    },
  ],
  [
    'answers have meta only when it says something',
    'test/unit/server/newsletters.test.ts',
    {
      file: 'src/server/admin/newsletter-routes.ts',
      replace: 'Object.keys(meta).length === 0 ?',
      by: 'Object.keys(meta).length < 0 ?',
    },
    'waits for the mailed link',
  ],
  [
    'secrets of webhooks have sixteen characters',
    WEBHOOKS,
    {
      file: webhookInput,
      replace: 'const SECRET_CHARACTERS_MIN = 16;',
      by: 'const SECRET_CHARACTERS_MIN = 1;',
    },
  ],
  [
    'targets have no unseen characters',
    WEBHOOKS,
    { file: webhookInput, replace: '!UNSEEN.test(value)', by: "!UNSEEN.test('')" },
  ],
  [
    'interim answers are counted',
    ATTEMPT,
    { file: attempt, replace: 'interimAnswers += 1;', by: 'interimAnswers += 0;' },
    'a few interim answers',
  ],
  [
    'all that a receiver sends is bounded',
    ATTEMPT,
    {
      file: attempt,
      replace: 'socket.bytesRead > RECEIVED_BYTES_MAX',
      by: 'socket.bytesRead < 0',
    },
    'endless: empty lines',
  ],
];

tryRows(ROWS);
