import { randomUUID } from "node:crypto";
import { z } from "zod";
import { waitUntil } from "../machine/wait-until.ts";
import type { BareClient } from "../wire/bare-client.ts";
import { Applied, Inbox, Occurrence, Plan, PlanUpdate, Preview } from "./plan-wire.ts";

const BOUND_MS = 40_000;
const OVER = ["completed", "failed", "cancelled", "skipped"];

type Terms = Record<string, unknown>;

/** Works with the plans of a bridge over the wire. */
export class PlanDesk {
	readonly client: BareClient;

	constructor(client: BareClient) {
		this.client = client;
	}

	/** Immediate and for the dashboard, if the terms do not say. */
	async create(terms: Terms): Promise<Plan> {
		const defaults = { requestId: randomUUID(), title: "A plan", type: "immediate", delivery: [{ channel: "dashboard" }] };
		return Plan.parse(await this.client.rpc("xworkmate.plans.create", { ...defaults, ...terms }));
	}

	/** A plan whose work is a program. */
	script(program: string, terms: Terms = {}): Promise<Plan> {
		return this.create({
			instructions: program,
			work: [{ description: "Do it" }],
			routing: { executionTarget: "agent", providerId: "script" },
			...terms,
		});
	}

	async get(planId: string): Promise<Plan> {
		return Plan.parse(await this.client.rpc("xworkmate.plans.get", { planId }));
	}

	async call(method: string, params: Terms): Promise<unknown> {
		return this.client.rpc(`xworkmate.plans.${method}`, params);
	}

	async run(planId: string, requestId: string = randomUUID()): Promise<Occurrence> {
		return Occurrence.parse(await this.call("run", { planId, requestId }));
	}

	async preview(action: { readonly occurrenceId: string; readonly actionId: string; readonly content?: string }) {
		return Preview.parse(await this.call("preview", action));
	}

	async decide(method: "review" | "settle", params: Terms) {
		return Applied.parse(await this.call(method, params));
	}

	/** A plan as it is once it fits. */
	async until(planId: string, what: string, fits: (plan: Plan) => boolean, everyMs?: number): Promise<Plan> {
		let last: Plan | undefined;
		const ask = async () => {
			last = await this.get(planId);
			return fits(last) ? last : undefined;
		};
		return waitUntil(`${what} of ${planId}`, BOUND_MS, ask, everyMs).catch((error: unknown) => {
			throw new Error(`${String(error)}; it is ${JSON.stringify(last)}`);
		});
	}

	/** The newest occurrence once it is over or waits for the user. `number`: the occurrence has to be the one with this number. */
	async settled(planId: string, number?: number): Promise<Occurrence> {
		const isMeant = (id: string) => number === undefined || id.endsWith(`-${number}`);
		const plan = await this.until(planId, "an end", ({ occurrence }) => {
			const isSettled = occurrence !== undefined && (OVER.includes(occurrence.status) || occurrence.status === "needs_review");
			return isSettled && isMeant(occurrence.occurrenceId);
		});
		return Occurrence.parse(plan.occurrence);
	}

	/** The inbox, newest first. */
	async inbox() {
		return Inbox.parse(await this.client.rpc("xworkmate.inbox.list")).items;
	}

	async updates(planId: string): Promise<PlanUpdate[]> {
		const { items } = z.object({ items: z.array(PlanUpdate) }).parse(await this.call("updates", { planId }));
		return items;
	}

	/** The runs of a thread, newest first; at most the default page of them. */
	async runs(threadId: string): Promise<readonly { readonly runId: string; readonly status: string; readonly turnId: string }[]> {
		const Runs = z.object({ items: z.array(z.looseObject({ runId: z.string(), status: z.string(), turnId: z.string() })) });
		return Runs.parse(await this.client.rpc("xworkmate.tasks.list", { threadId })).items;
	}
}
