// What a program that runs for long counts of itself, in the form that Prometheus reads. States are read when somebody asks
// for them; one that cannot be read is left out of that answer.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** A build ended, whether or not it changed anything. */
  readonly built: (build: BuiltFacts) => void;
  readonly buildFailed: () => void;
  /** One attempt of a delivery has its answer, or failed. */
  readonly attempted: (attempt: AttemptFacts) => void;
  readonly gaveUp: () => void;
  readonly disabledWebhook: () => void;
  /** A request was answered, or its client left. */
  readonly answered: (answer: AnswerFacts) => void;
  /** Where states are read from now on. */
  readonly readFrom: (states: MetricStates) => void;
  /** All metrics, as one scrape reads them. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

type BuiltFacts = {
  readonly milliseconds: number;
  readonly files: { readonly written: number; readonly removed: number };
};

type AttemptFacts = { readonly isSuccess: boolean; readonly durationMs: number };

export type AnswerFacts = {
  readonly area: string;
  readonly method: string;
  /** A status, or `aborted`. */
  readonly code: string;
  readonly seconds: number;
};

export type MetricStates = {
  /** The newest build that changed a byte. */
  readonly generation: () => number;
  /** The newest generation whose deliveries are queued. */
  readonly announcedGeneration: () => Promise<number>;
  readonly deliveries: () => Promise<Readonly<Record<string, number>>>;
};

const REQUEST_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ATTEMPT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const BUILD_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const register = createRegister(registry);
  const counted = {
    ...buildMetrics(register),
    ...deliveryMetrics(register),
    ...requestMetrics(register),
  };
  const readFrom = stateMetrics(register);
  collectDefaultMetrics({ register: registry });
  // Sums of gauges that are told by type; a gauge is not called a total.
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }
  return {
    ...counted,
    readFrom,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
};

type Register = ReturnType<typeof createRegister>;

/** Makes metrics, which are told in the order of their making. */
const createRegister = (registry: Registry) => {
  const registers = [registry];
  return {
    counter: <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <L extends string>(
      [name, help]: readonly [string, string],
      buckets: number[],
      ...labelNames: L[]
    ) => new Histogram({ name, help, buckets, labelNames, registers }),
    gauge: <L extends string>(
      [name, help, ...labelNames]: readonly [string, string, ...L[]],
      collect?: (this: Gauge<L>) => Promise<void>,
    ) => new Gauge({ name, help, labelNames, registers, ...(collect && { collect }) }),
  };
};

const buildMetrics = ({
  counter,
  histogram,
  gauge,
}: Register): Pick<Metrics, 'built' | 'buildFailed'> => {
  const builds = counter(
    'prepress_builds_total',
    'Builds that ended, by result: changed, unchanged or failed.',
    'result',
  );
  for (const result of ['changed', 'unchanged', 'failed']) builds.inc({ result }, 0);
  const buildSeconds = histogram(
    ['prepress_build_duration_seconds', 'How long builds took that changed a file.'],
    BUILD_SECONDS,
  );
  const lastBuild = gauge([
    'prepress_build_last_success_timestamp_seconds',
    'When the newest build that did not fail ended, in seconds since 1970.',
  ]);
  const files = counter('prepress_files_total', 'Files that builds wrote or removed.', 'action');
  return {
    built: ({ milliseconds, files: { written, removed } }) => {
      const isChanged = written + removed > 0;
      builds.inc({ result: isChanged ? 'changed' : 'unchanged' });
      lastBuild.setToCurrentTime();
      if (isChanged) buildSeconds.observe(milliseconds / 1_000);
      files.inc({ action: 'written' }, written);
      files.inc({ action: 'removed' }, removed);
    },
    buildFailed: () => builds.inc({ result: 'failed' }),
  };
};

const deliveryMetrics = ({
  counter,
  histogram,
}: Register): Pick<Metrics, 'attempted' | 'gaveUp' | 'disabledWebhook'> => {
  const attempts = counter(
    'prepress_delivery_attempts_total',
    'POSTs to webhooks, by result: success or failure.',
    'result',
  );
  for (const result of ['success', 'failure']) attempts.inc({ result }, 0);
  const attemptSeconds = histogram(
    ['prepress_delivery_attempt_duration_seconds', 'How long POSTs to webhooks took.'],
    ATTEMPT_SECONDS,
  );
  const givenUp = counter(
    'prepress_deliveries_given_up_total',
    'Deliveries that failed for good after their last attempt.',
  );
  const disabled = counter('prepress_webhooks_disabled_total', 'Webhooks that were disabled.');
  return {
    attempted: ({ isSuccess, durationMs }) => {
      attempts.inc({ result: isSuccess ? 'success' : 'failure' });
      attemptSeconds.observe(durationMs / 1_000);
    },
    gaveUp: () => givenUp.inc(),
    disabledWebhook: () => disabled.inc(),
  };
};

const requestMetrics = ({ counter, histogram }: Register): Pick<Metrics, 'answered'> => {
  const requests = counter(
    'prepress_http_requests_total',
    'Requests by area (content, admin, hooks, health, docs, desk, other), method and status.',
    ...(['area', 'method', 'code'] as const),
  );
  const requestSeconds = histogram(
    ['prepress_http_request_duration_seconds', 'Time from a request to the end of its answer.'],
    REQUEST_SECONDS,
    'area',
  );
  return {
    answered: ({ area, method, code, seconds }) => {
      requests.inc({ area, method, code });
      requestSeconds.observe({ area }, seconds);
    },
  };
};

/** Returns how to say where states are read. */
const stateMetrics = ({ gauge }: Register): Metrics['readFrom'] => {
  let states: MetricStates | undefined;
  const state = <L extends string>(
    names: readonly [string, string, ...L[]],
    read: (gauge: Gauge<L>, from: MetricStates) => Promise<void>,
  ): void => {
    const hasLabels = names.length > 2;
    gauge(names, async function (this: Gauge<L>) {
      if (hasLabels) this.reset();
      else this.remove();
      if (states !== undefined) await read(this, states).catch(() => undefined);
    });
  };
  state(
    ['prepress_generation', 'Number of the newest build that changed a byte.'],
    async (own, from) => own.set(from.generation()),
  );
  state(
    [
      'prepress_announced_generation',
      'Newest generation whose deliveries are queued; less than prepress_generation while a build is announced.',
    ],
    async (own, from) => own.set(await from.announcedGeneration()),
  );
  state(
    ['prepress_deliveries', 'Deliveries of the last 30 days: pending, done or failed.', 'state'],
    async (own, from) => {
      for (const [name, count] of Object.entries(await from.deliveries())) {
        own.set({ state: name }, count);
      }
    },
  );
  return (given) => {
    states = given;
  };
};
