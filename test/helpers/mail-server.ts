// A real SMTP server on a free port, which keeps the mails it is sent.
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export type ReceivedMail = { readonly to: string[]; readonly from: string; readonly text: string };

type MailServer = {
  /** Address for the setting `smtp`. */
  readonly url: string;
  readonly received: ReceivedMail[];
};

type Options = {
  /** Refuses every receiver. */
  readonly isRefusing?: boolean;
};

export const startMailServer = async ({
  isRefusing = false,
}: Options = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'user' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('refused')),
    allowInsecureAuth: true,
    onRcptTo: (_address, _session, done) =>
      isRefusing ? done(new Error('no such mailbox')) : done(),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const text = Buffer.concat(chunks)
          .toString('utf8')
          .replace(/=\r\n/g, '')
          .replace(/=3D/g, '=');
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => new Promise<void>((resolve) => void server.close(resolve)));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://user:p%40ss@127.0.0.1:${port}`, received };
};
