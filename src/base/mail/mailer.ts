// Sends mail through the SMTP server of the settings; without one, leaves each mail as a file that any mail
// program opens. One mail, one receiver. The one home of nodemailer.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { PrepressError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { PRIVATE_FILE_MODE } from '../files/private-files.ts';

export type Mail = {
  /** One checked address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

export type Mailer = {
  /** Throws MAIL_FAILED when the mail was not taken. */
  readonly send: (mail: Mail) => Promise<void>;
  readonly close: () => void;
};

export type MailerOptions = {
  /** smtp:// or smtps:// address with its credentials; absent: files. */
  readonly smtp: string | undefined;
  /** Address that mail is sent from. */
  readonly from: () => string | Promise<string>;
  readonly folder: string;
  /** Told of each mail that became a file. */
  readonly onKept?: (file: string) => void;
};

const TIMEOUT_MS = 10_000;
/** A mail never reads files or addresses of its own accord. */
const SAFE = { disableFileAccess: true, disableUrlAccess: true } as const;

export const createMailer = (options: MailerOptions): Mailer =>
  options.smtp === undefined ? createKeeper(options) : createSender(options, options.smtp);

/** Most commands send no mail and start sooner without it. */
export const loadNodemailer = () => import('nodemailer');

/** Opened with the first mail. */
const openLater = (options: object) => {
  let opened: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    const { default: nodemailer } = await loadNodemailer();
    return nodemailer.createTransport({ ...SAFE, ...options });
  };
  return {
    open: () => {
      opened ??= open();
      return opened;
    },
    close: () => void opened?.then((transport) => transport.close()).catch(() => undefined),
  };
};

const createSender = ({ from }: MailerOptions, smtp: string): Mailer => {
  const url = new URL(smtp);
  const transport = openLater({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    send: async ({ to, subject, text }) => {
      try {
        await (await transport.open()).sendMail({ from: await from(), to, subject, text });
      } catch (error) {
        throw failed('The mail server did not take the mail', error);
      }
    },
    close: () => transport.close(),
  };
};

/** A server's answer may repeat addresses and more: only its kind is kept. */
const failed = (what: string, error: unknown): PrepressError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new PrepressError('MAIL_FAILED', `${what} (${code}).`);
};

const createKeeper = ({ from, folder, onKept }: MailerOptions): Mailer => ({
  send: async (mail) => {
    const date = new Date();
    const name = `${date.toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`;
    const file = join(folder, `${name}.eml`);
    const message = keptMessage(mail, { from: await from(), date });
    try {
      makeFolder(folder, { isPrivate: true });
      await writeFile(file, message, { mode: PRIVATE_FILE_MODE, flag: 'wx' });
    } catch (error) {
      throw failed('The mail could not be kept as a file', error);
    }
    onKept?.(file);
  },
  close: () => undefined,
});

type Sent = { readonly from: string; readonly date: Date };

/** The text as it is (RFC 6532): the link in it can be copied whole. */
const keptMessage = ({ to, subject, text }: Mail, { from, date }: Sent): string =>
  [
    ...Object.entries({ From: from, To: to, Subject: subject, Date: date.toUTCString() }).map(
      ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`,
    ),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...text.split(/\r?\n/),
    '',
  ].join('\r\n');
