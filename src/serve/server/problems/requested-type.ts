// Whether a request wants a page or data: browsers name text/html first, programs name JSON, anything, or nothing.
import type { FastifyRequest } from 'fastify';

export const asksForPage = ({
  method,
  headers,
}: Pick<FastifyRequest, 'method' | 'headers'>): boolean => {
  const { accept = '' } = headers;
  const names = accept
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';')[0]?.trim());
  const [html, json] = [names.indexOf('text/html'), names.indexOf('application/json')];
  const isRead = method === 'GET' || method === 'HEAD' || method === 'POST';
  return isRead && html >= 0 && (json < 0 || html < json);
};
