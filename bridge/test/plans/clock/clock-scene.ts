import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { z } from "zod";
import { PlanDesk } from "../../../../e2e/support/plans/plan-desk.ts";
import { Occurrence, type Plan } from "../../../../e2e/support/plans/plan-wire.ts";
import { BareClient } from "../../../../e2e/support/wire/bare-client.ts";
import { type Bridge, openBridge } from "../../../src/server.ts";
import { readConfig } from "../../config/read-config.ts";
import { TestClock } from "./test-clock.ts";

const Page = z.object({ items: z.array(Occurrence) });
const TOKEN = "a-token-for-these-tests";
const RESTING = ["completed", "failed", "cancelled", "skipped", "needs_review"];

/** A whole bridge in this process, with its store, scheduler and channels, on a clock that the test moves. */
export class ClockScene implements AsyncDisposable {
	readonly clock: TestClock;
	/** What the bridge has logged as errors. */
	readonly errors: string[] = [];
	readonly #home: string;
	readonly #plans: string[] = [];
	#bridge: Bridge | undefined;
	#desk: PlanDesk | undefined;

	private constructor(home: string, at: string) {
		this.#home = home;
		this.clock = new TestClock(Date.parse(at));
	}

	static async open(at: string): Promise<ClockScene> {
		const scene = new ClockScene(await mkdtemp(join(tmpdir(), "xworkmate-clock-")), at);
		await scene.start();
		return scene;
	}

	get desk(): PlanDesk {
		if (this.#desk === undefined) throw new Error("the bridge is off");
		return this.#desk;
	}

	async start(): Promise<void> {
		const env = { XWORKMATE_HOME: this.#home, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0", PATH: process.env.PATH };
		const logger = pino({ level: "error" }, { write: (line: string) => void this.errors.push(line) });
		const onFatal = (error: unknown) => void this.errors.push(String(error));
		const { clock } = this;
		this.#bridge = await openBridge({ config: readConfig(env, []), token: TOKEN, logger, clock, before: "ended", onFatal });
		this.#desk = new PlanDesk(new BareClient({ url: await this.#bridge.listen(), token: TOKEN }));
		await this.#bridge.recover();
	}

	async stop(): Promise<void> {
		await this.#bridge?.close();
		this.#bridge = undefined;
		this.#desk = undefined;
	}

	/** For the dashboard, if the terms do not say. */
	async create(terms: Record<string, unknown>): Promise<Plan> {
		const plan = await this.desk.create({ delivery: [{ channel: "dashboard", content: "Call mom" }], ...terms });
		this.#plans.push(plan.planId);
		return plan;
	}

	/** It is that time now, and all that is due has come due and is over, or waits for a person. */
	async passTo(at: string | number): Promise<void> {
		this.clock.set(typeof at === "number" ? at : Date.parse(at));
		await this.rested();
	}

	/** Lets time pass in steps of some minutes, and what is due come to rest in each. */
	async walk(until: string, minutes: number): Promise<void> {
		const end = Date.parse(until);
		while (this.clock.now() < end) await this.passTo(Math.min(this.clock.now() + minutes * 60_000, end));
	}

	async rested(): Promise<void> {
		for (const planId of this.#plans)
			await this.desk.until(planId, "rest", ({ status, nextDueAt, occurrence }) => {
				const isDue = status !== "paused" && nextDueAt !== undefined && Date.parse(nextDueAt) <= this.clock.now();
				return !isDue && (occurrence === undefined || RESTING.includes(occurrence.status));
			});
	}

	/** Oldest first. */
	async occurrences(planId: string): Promise<readonly Occurrence[]> {
		return Page.parse(await this.desk.call("occurrences", { planId, limit: 200 })).items.toReversed();
	}

	/** When it was due, and what happened to it. */
	async times(planId: string): Promise<readonly string[]> {
		return (await this.occurrences(planId)).map(({ dueAt, status }) => `${dueAt.slice(0, 16)} ${status}`);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.stop();
		await rm(this.#home, { recursive: true, force: true });
		if (this.errors.length > 0) throw new Error(this.errors.join(""));
	}
}
