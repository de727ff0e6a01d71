// Types of superstatic, whose own are not for this resolution of modules: only what the tests use.
declare module 'superstatic' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Options = { readonly cwd: string; readonly config: object };
  type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  const superstatic: (options: Options) => Middleware;
  export default superstatic;
}
