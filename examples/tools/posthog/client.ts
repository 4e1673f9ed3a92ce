import { type Http, type HttpAnswer, type HttpRequest, OutcomeUnknown, type ToolContext, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
import { apiUrl } from "./account.ts";

const Counted = z.object({ results: z.tuple([z.tuple([z.int()])]) });
const Insight = z.object({ id: z.int() });
const User = z.object({ id: z.int() });
const Alert = z.object({
	id: z.string(),
	name: z.string(),
	enabled: z.boolean(),
	state: z.string(),
	calculation_interval: z.string().nullable(),
	threshold: z.object({ configuration: z.object({ bounds: z.object({ upper: z.number().nullish() }).nullish() }) }),
});
export type Alert = z.infer<typeof Alert>;
const AlertPage = z.object({ next: z.string().nullable(), results: z.array(Alert) });
const Refusal = z.object({ detail: z.string(), attr: z.string().nullish() });

export interface Monitor {
	readonly website: string;
	readonly threshold: number;
	readonly every: "hourly" | "daily" | "weekly" | "monthly";
	readonly name: string;
}

const MAX_PAGES = 20;

/** PostHog's API for one project. */
export class PostHogClient {
	readonly #http: Http;
	readonly #project: string;

	constructor({ http }: Pick<ToolContext, "http">, projectId: string) {
		this.#http = http.at(`${apiUrl}/`, { authorization: { secret: "posthog.key", prefix: "Bearer " } });
		this.#project = `api/projects/${encodeURIComponent(projectId)}`;
	}

	/** How many people have looked at pages of a website. Values are given apart from the query, so none can change it. */
	async visitors(website: string, from: Date, to: Date): Promise<number> {
		const query = `SELECT count(DISTINCT person_id) AS visitors FROM events
WHERE event = '$pageview' AND properties.$host = {website} AND timestamp >= toDateTime({start_time}) AND timestamp < toDateTime({end_time})`;
		const json = { query: { kind: "HogQLQuery", query, values: { website, start_time: utc(from), end_time: utc(to) } } };
		const { results } = await this.#ask(Counted, { url: `${this.#project}/query/`, method: "POST", json, acts: false }, 200);
		return results[0][0];
	}

	async alerts(): Promise<Alert[]> {
		const alerts: Alert[] = [];
		let url: string | null = `${this.#project}/alerts/?limit=100`;
		for (let pages = 0; url !== null && pages < MAX_PAGES; pages++) {
			const page: z.infer<typeof AlertPage> = await this.#ask(AlertPage, { url }, 200);
			alerts.push(...page.results);
			url = page.next;
		}
		return alerts;
	}

	/** Undefined: there is none with this id. */
	async alert(id: string): Promise<Alert | undefined> {
		const request = { url: `${this.#project}/alerts/${encodeURIComponent(id)}/` };
		const answer = await this.#http.request(request);
		return answer.status === 404 ? undefined : read(Alert, checked(answer, 200, request), request);
	}

	/** An alert belongs to a chart (an insight), so there are two things to create. If only the chart can be, it is taken back. */
	async createMonitor({ website, threshold, every, name }: Monitor): Promise<Alert> {
		const user = await this.#ask(User, { url: "api/users/@me/" }, 200);
		const source = {
			kind: "TrendsQuery",
			series: [{ kind: "EventsNode", event: "$pageview", math: "dau" }],
			interval: { hourly: "hour", daily: "day", weekly: "week", monthly: "month" }[every],
			properties: [{ key: "$host", value: [website], operator: "exact", type: "event" }],
		};
		const insight = await this.#ask(
			Insight,
			{ url: `${this.#project}/insights/`, method: "POST", json: { name, query: { kind: "InsightVizNode", source } } },
			201,
		);
		const alert = {
			insight: insight.id,
			name,
			subscribed_users: [user.id],
			condition: { type: "absolute_value" },
			config: { type: "TrendsAlertConfig", series_index: 0 },
			threshold: { configuration: { type: "absolute", bounds: { upper: threshold } } },
			calculation_interval: every,
			enabled: true,
		};
		try {
			return await this.#ask(Alert, { url: `${this.#project}/alerts/`, method: "POST", json: alert }, 201);
		} catch (error) {
			if (!(error instanceof ToolFailed)) throw error;
			throw new ToolFailed(`${error.message} ${await this.#takeBack(insight.id)}`, { cause: error });
		}
	}

	/** False: it was not there. */
	async deleteAlert(id: string): Promise<boolean> {
		const request = { url: `${this.#project}/alerts/${encodeURIComponent(id)}/`, method: "DELETE" };
		const answer = await this.#http.request(request);
		if (answer.status === 404) return false;
		checked(answer, 204, request);
		return true;
	}

	/** @returns what became of the chart, for the user */
	async #takeBack(insight: number): Promise<string> {
		const request = { url: `${this.#project}/insights/${insight}/`, method: "PATCH", json: { deleted: true } };
		const answer = await this.#http.request(request).catch((error: unknown) => {
			if (error instanceof ToolFailed || error instanceof OutcomeUnknown) return undefined;
			throw error;
		});
		return answer?.status === 200 ? "Its chart was deleted again." : `Its chart, insight ${insight}, may still be there: delete it.`;
	}

	async #ask<Schema extends z.ZodType>(schema: Schema, request: HttpRequest, wanted: number): Promise<z.infer<Schema>> {
		return read(schema, checked(await this.#http.request(request), wanted, request), request);
	}
}

function mayAct({ method = "GET", acts = method !== "GET" }: HttpRequest): boolean {
	return acts;
}

function checked(answer: HttpAnswer, wanted: number, request: HttpRequest): HttpAnswer {
	const { status, headers } = answer;
	if (status === wanted) return answer;
	if (status >= 500 && mayAct(request))
		throw new OutcomeUnknown(`PostHog answered ${status}, so it is not known whether it has acted. Look at the project.`);
	const why = reasonOf(answer);
	switch (status) {
		case 401:
			throw new ToolFailed(
				"PostHog does not accept the key. Check the secret posthog.key, a personal API key, and the address in account.ts.",
			);
		case 403:
			throw new ToolFailed(`PostHog does not allow this with the key: ${why}.`);
		case 404:
			throw new ToolFailed("PostHog has no such project or alert, or the key may not see it.");
		case 429:
			throw new ToolFailed(
				`PostHog asks for fewer requests. Try again ${headers["retry-after"] === undefined ? "later" : `in ${headers["retry-after"]} s`}.`,
			);
		default:
			throw new ToolFailed(`PostHog refused with ${status}: ${why}.`);
	}
}

function reasonOf(answer: HttpAnswer): string {
	try {
		const { detail, attr } = Refusal.parse(answer.json());
		return `${attr === undefined || attr === null ? "" : `${attr}: `}${detail.replace(/\.$/, "")}`.slice(0, 300);
	} catch {
		return "no explanation";
	}
}

/** An answer of another shape to a request that acted leaves open what was done. */
function read<Schema extends z.ZodType>(schema: Schema, answer: HttpAnswer, request: HttpRequest): z.infer<Schema> {
	const parsed = schema.safeParse(answer.json());
	if (parsed.success) return parsed.data;
	const words = "PostHog answered something else than its API promises";
	throw mayAct(request) ? new OutcomeUnknown(`${words}, after it may have acted. Look at the project.`) : new ToolFailed(`${words}.`);
}

/** With the zone, since a time without one would be read in the project's. */
function utc(time: Date): string {
	return `${time.toISOString().slice(0, 19)}Z`;
}
