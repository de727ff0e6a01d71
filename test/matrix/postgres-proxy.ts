// Stands between a program and PostgreSQL: cuts connections, falls silent, or leads to another server from then on.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Passes bytes on until the test ends. Told a text, it cuts the connection that sends it, once PostgreSQL has it. */
export const startProxy = async ({ hostname, port, username, pathname }: URL) => {
  let target = Number(port);
  let last: string | null = null;
  const ends: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(target, hostname);
    ends.push(near, far);
    for (const end of [near, far]) end.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (bytes) => {
      const isLast = last !== null && bytes.includes(last);
      far.write(bytes, () => isLast && near.destroy());
      if (isLast) last = null;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const end of ends) end.destroy();
    proxy.close();
  });
  const at = (proxy.address() as AddressInfo).port;
  return {
    address: `postgres://${username}@127.0.0.1:${at}${pathname}`,
    cutAfter: (text: string) => {
      last = text;
    },
    fallSilent: () => {
      for (const end of ends) end.pause();
    },
    /** New connections lead to this port. */
    leadTo: (other: number) => {
      target = other;
    },
  };
};
