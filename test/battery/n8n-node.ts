// n8n's Ghost node as npm has it, run as n8n runs it: its own code, its credentials and the requests of n8n's own
// network package. Only what n8n would read from a workflow, parameters and keys, is given by the test.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder with `package/dist` of n8n-nodes-base and the modules that its Ghost files need. */
export const n8nFolder = process.env.PREPRESS_TEST_N8N;

export type Values = Readonly<Record<string, unknown>>;
export type Option = { readonly name: string; readonly value: unknown };

type Property = {
  readonly name: string;
  readonly default: unknown;
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly unknown[]>> };
  readonly options?: readonly Property[] | readonly Option[];
};

type Context = Readonly<Record<string, unknown>>;
type NodeClass = new () => {
  readonly description: { readonly properties: readonly Property[] };
  readonly methods: {
    readonly loadOptions: Readonly<Record<string, (this: Context) => Promise<Option[]>>>;
  };
  execute(this: Context): Promise<{ readonly json: Record<string, unknown> }[][]>;
};
type Request = { readonly uri?: string; readonly json?: boolean };
type CredentialClass = new () => {
  readonly test: { readonly request: { readonly url: string } };
  authenticate(credentials: object, request: Request): Promise<Request>;
};
type Network = {
  readonly OutboundHttp: unknown;
  readonly configureGlobalAxiosDefaults: () => void;
  readonly removeEmptyBody: (request: Request) => void;
};
type Requests = { readonly requestLegacy: (request: Request) => Promise<unknown> };
type Container = { readonly get: (service: unknown) => { readonly requests: () => Requests } };

export type Connection = { readonly url: string; readonly apiKey: string };
export type Connections = Readonly<Record<'ghostAdminApi' | 'ghostContentApi', Connection>>;

export type N8nNode = {
  readonly properties: readonly Property[];
  /** What the node hands on for one item. */
  readonly run: (parameters: Values) => Promise<Record<string, unknown>[]>;
  /** What the editor lists for a field. */
  readonly load: (method: string) => Promise<Option[]>;
  /** What the button "Test" of a credential asks for. */
  readonly testCredential: (type: keyof Connections) => Promise<unknown>;
};

export const loadNode = (folder: string, connections: Connections): N8nNode => {
  const load = createRequire(join(folder, 'package/dist/nodes/Ghost/Ghost.node.js'));
  const { Ghost } = load('./Ghost.node.js') as { Ghost: NodeClass };
  const { NodeApiError } = load('n8n-workflow') as {
    NodeApiError: new (node: object, error: unknown) => Error;
  };
  const network = load('@n8n/backend-network') as Network;
  const { Container } = load('@n8n/di') as { Container: Container };
  network.configureGlobalAxiosDefaults();
  const requests = Container.get(network.OutboundHttp).requests();
  const node = new Ghost();
  const place = { name: 'Ghost', type: 'n8n-nodes-base.ghost', typeVersion: 1, parameters: {} };

  const credentialOf = (type: string): InstanceType<CredentialClass> => {
    const name = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
    const file = `../../credentials/${name}.credentials.js`;
    const Credential = (load(file) as Record<string, CredentialClass>)[name];
    if (Credential === undefined) throw new Error(`${file} has no ${name}`);
    return new Credential();
  };
  /** As n8n-core does it: an empty body goes, the credential signs, a failed request is an error of the node. */
  const requestAs = async (type: keyof Connections, request: Request): Promise<unknown> => {
    network.removeEmptyBody(request);
    const signed = await credentialOf(type).authenticate(connections[type], request);
    return requests.requestLegacy(signed).catch((error: unknown) => {
      throw new NodeApiError(place, error);
    });
  };
  const contextOf = (parameters: Values): Context => ({
    getInputData: () => [{ json: {} }],
    getNode: () => place,
    getTimezone: () => 'Europe/Berlin',
    getNodeParameter: (name: string) => structuredClone(defaultOrGiven(node, parameters, name)),
    getCredentials: async (type: keyof Connections) => connections[type],
    continueOnFail: () => false,
    helpers: {
      requestWithAuthentication: requestAs,
      returnJsonArray: (values: unknown) =>
        [values].flat().map((json) => (hasJson(json) ? json : { json })),
      constructExecutionMetaData: (items: readonly object[]) => items,
    },
  });
  return {
    properties: node.description.properties,
    run: async (parameters) => {
      const [items = []] = await node.execute.call(contextOf(parameters));
      return items.map(({ json }) => json);
    },
    load: async (method) => {
      const list = node.methods.loadOptions[method];
      if (list === undefined) throw new Error(`The node has no ${method}`);
      return list.call(contextOf({ source: 'adminApi' }));
    },
    testCredential: (type) => {
      const { url } = credentialOf(type).test.request;
      return requestAs(type, { uri: `${connections[type].url}${url}`, json: true });
    },
  };
};

const hasJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'json' in value;

/** A parameter as the editor has it: what the workflow says, else the default of the field that is shown. */
const defaultOrGiven = (
  node: InstanceType<NodeClass>,
  parameters: Values,
  name: string,
): unknown => {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const shown = node.description.properties.find(
    (property) =>
      property.name === name &&
      Object.entries(property.displayOptions?.show ?? {}).every(([other, values]) =>
        values.includes(defaultOrGiven(node, parameters, other)),
      ),
  );
  if (shown === undefined) throw new Error(`The node shows no field ${name}`);
  return shown.default;
};
