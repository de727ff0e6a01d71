// Files of other newsletter programs, with their own columns: who left there is not subscribed here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importMembersCsv } from '../../../helpers/import-members.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const FILES = {
  Mailchimp: [
    '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,NOTES,TAGS',
    'stays@x.example,Ada,Lovelace,2,,"2024-01-01 10:00:00",,"likes ""math""","""vip"",""early bird"""',
    'left@x.example,Eve,,2,,"2024-01-01 10:00:00","2024-05-01 10:00:00",,',
  ],
  Substack: [
    'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at',
    'stays@x.example,false,,other,false,2024-01-01T10:00:00.000Z,',
    'left@x.example,true,2026-12-01T00:00:00.000Z,yearly,true,2024-01-01T10:00:00.000Z,',
  ],
  Buttondown: [
    'id,email_address,creation_date,notes,metadata,tags,type,source,unsubscription_date',
    '1f,stays@x.example,2024-01-01T10:00:00Z,,{},"vip, early bird",regular,embed,',
    '2f,left@x.example,2024-01-01T10:00:00Z,,{},,unsubscribed,embed,2024-05-01T10:00:00Z',
  ],
  beehiiv: [
    'subscription_id,email,status,created_at,subscription_tier,utm_source,referral_code',
    'sub_1,stays@x.example,active,2024-01-01 10:00:00,free,,x',
    'sub_2,left@x.example,inactive,2024-01-01 10:00:00,free,,y',
  ],
  'of nobody, with statuses that say nothing of mail': [
    'email,status,type,created_at,subscribed_to_emails',
    'stays@x.example,vip,customer,2024-01-01 10:00:00,',
    'left@x.example,vip,customer,2024-01-01 10:00:00,no',
  ],
};

test('the files of other programs bring who reads, and who left', async () => {
  const shown: Record<string, unknown> = {};
  for (const [program, lines] of Object.entries(FILES)) {
    const { store, shell, insert } = await createPublication();
    insert('newsletters', {
      uuid: 'n',
      name: 'N',
      slug: 'n',
      created_at: '2024-01-01T00:00:00.000Z',
    });
    const file = join(temporaryFolder(), 'members.csv');
    writeFileSync(file, lines.join('\n'));
    await importMembersCsv(store, file);
    shown[program] = shell
      .prepare(
        `SELECT email || ' ' || (SELECT count(*) FROM members_newsletters WHERE member_id = members.id)
          || ' ' || coalesce(name, '-') || ' ' || coalesce(note, '-') || ' ' || coalesce((
          SELECT group_concat(labels.name) FROM members_labels JOIN labels ON labels.id = label_id
          WHERE member_id = members.id), '-') || ' ' || substr(created_at, 1, 16)
          FROM members ORDER BY email DESC`,
      )
      .pluck()
      .all();
  }
  const [left, stays] = ['left@x.example 0', 'stays@x.example 1'];
  const at = '2024-01-01T10:00';
  expect(shown).toEqual({
    Mailchimp: [`${stays} Ada Lovelace likes "math" vip,early bird ${at}`, `${left} Eve - - ${at}`],
    Substack: [`${stays} - - - ${at}`, `${left} - - - ${at}`],
    Buttondown: [`${stays} - - vip,early bird ${at}`, `${left} - - - ${at}`],
    beehiiv: [`${stays} - - - ${at}`, `${left} - - - ${at}`],
    'of nobody, with statuses that say nothing of mail': [
      `${stays} - - - ${at}`,
      `${left} - - - ${at}`,
    ],
  });
});
