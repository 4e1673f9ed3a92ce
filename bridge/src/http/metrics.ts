import { ChannelId, RunStatus } from "@xworkmate/contracts";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type DeliveryEnd, deliveryEnds, type PlanMeasures } from "../ports/plans/plan-measures.ts";

/** Numbers that the core keeps. */
export interface RunNumbers {
	/** Runs that are executing. */
	readonly active: number;
	/** Runs that are queued. */
	readonly queued: number;
	/** Group commits since the start. */
	readonly commits: number;
	/** Runs that ended since the start, by their status. */
	readonly ended: Readonly<Partial<Record<RunStatus, number>>>;
}

/** The metrics of `GET /metrics`. One instance per bridge. */
export class BridgeMetrics implements PlanMeasures {
	readonly registry = new Registry();
	readonly #streams: Gauge;
	readonly #requests: Histogram<"route" | "status">;
	readonly #deliveries: Counter<"channel" | "end">;
	readonly #late: Histogram;
	readonly #series = new Map<string, Histogram.Internal<"route" | "status">>();
	#isProcessMeasured = false;

	constructor(numbers: () => RunNumbers) {
		const registers = [this.registry];
		this.#streams = new Gauge({ name: "xworkmate_streams_open", help: "Open event streams.", registers });
		this.#requests = new Histogram({
			name: "xworkmate_http_request_seconds",
			help: "Time to answer a request, by route and status. A stream is timed until it ends.",
			labelNames: ["route", "status"],
			buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600],
			registers,
		});
		new Gauge({
			name: "xworkmate_runs",
			help: "Runs by status: queued and running ones now, the others since the bridge started.",
			labelNames: ["status"],
			registers,
			collect() {
				const { active, queued, ended } = numbers();
				const now: Partial<Record<RunStatus, number>> = { queued, running: active };
				for (const status of RunStatus.options) this.set({ status }, now[status] ?? ended[status] ?? 0);
			},
		});
		new Counter({
			name: "xworkmate_commits_total",
			help: "Group commits of the log.",
			registers,
			collect() {
				this.reset();
				this.inc(numbers().commits);
			},
		});
		this.#deliveries = new Counter({
			name: "xworkmate_deliveries_total",
			help: "Plan messages since the bridge started, by channel and outcome. A message that may have been sent is counted as unknown, and again once its outcome is known.",
			labelNames: ["channel", "end"],
			registers,
		});
		// Every series starts at 0: a rate would not include the first failure if the series appeared only with that failure.
		for (const channel of ChannelId.options) for (const end of deliveryEnds) this.#deliveries.inc({ channel, end }, 0);
		this.#late = new Histogram({
			name: "xworkmate_schedule_lag_seconds",
			help: "How long after its due time a scheduled occurrence of a plan began. An immediate plan is due when it is created. Consecutive missed due times count once, measured from the last one.",
			buckets: [0.05, 0.2, 1, 5, 30, 120, 600, 3_600, 21_600, 86_400],
			registers,
		});
	}

	/**
	 * The text of `GET /metrics`. The process itself is measured from the first call on: its event loop's delay is sampled a hundred times a
	 * second, which must cost nothing in an idle bridge that is not monitored.
	 */
	async read(): Promise<string> {
		if (!this.#isProcessMeasured) collectDefaultMetrics({ register: this.registry, prefix: "xworkmate_" });
		this.#isProcessMeasured = true;
		return await this.registry.metrics();
	}

	streamsChanged(change: 1 | -1): void {
		this.#streams.inc(change);
	}

	answered(route: string, status: number, seconds: number): void {
		this.#requestsOf(route, status).observe(seconds);
	}

	/** The series of a route and status. Kept in a map, because looking a series up by its labels costs more than counting in it. */
	#requestsOf(route: string, status: number): Histogram.Internal<"route" | "status"> {
		const key = `${status} ${route}`;
		const known = this.#series.get(key);
		if (known !== undefined) return known;
		const series = this.#requests.labels(route, String(status));
		this.#series.set(key, series);
		return series;
	}

	delivered(channel: ChannelId, end: DeliveryEnd): void {
		this.#deliveries.inc({ channel, end });
	}

	began(lateSeconds: number): void {
		this.#late.observe(lateSeconds);
	}
}
