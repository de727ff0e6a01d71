// A client that writes what it likes to a connection and reads only when it wants to.
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type RawClient = {
  readonly socket: Socket;
  /** What was read so far, as Latin-1. */
  readonly said: () => string;
  readonly closed: Promise<void>;
};

/** Ended with the test. `isReading: false` leaves everything to the system's buffers. */
export const openRaw = async (
  origin: string,
  { isReading = true }: { readonly isReading?: boolean } = {},
): Promise<RawClient> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  const chunks: Buffer[] = [];
  if (isReading) socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  await new Promise((resolve) => {
    socket.once('connect', resolve);
  });
  return { socket, said: () => Buffer.concat(chunks).toString('latin1'), closed };
};

/** The head of a request without a body. */
export const getOf = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Statuses and bodies of answers that all have a length, in their order. */
export const answersIn = (said: string): { readonly status: number; readonly body: string }[] => {
  const answers = [];
  for (let rest = said; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, end);
    const bytes = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    answers.push({ status: Number(head.slice(9, 12)), body: rest.slice(end, end + bytes) });
    rest = rest.slice(end + bytes);
  }
  return answers;
};
