import { SessionId } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import type { PermissionAnswer, PermissionRequest, Provider, ProviderTurn, TurnSink } from "../../src/ports/agents/provider.ts";
import type { ProviderUpdate } from "../../src/ports/runs/run-event.ts";
import type { ProviderSession } from "../../src/ports/runs/session-store.ts";

/**
 * What the runtime does in a turn: says `hello` and ends; breaks; says `hello` and works until it is stopped; or makes one call of a tool,
 * which completes, and ends.
 */
export type Play = "ends" | "breaks" | "works" | "calls";

/** A runtime that asks before it makes a call. */
export interface AskingRuntime {
	/** A turn in which the runtime asks about one call, makes it if it may, and ends. */
	turn(): Promise<ProviderTurn>;
	/** Whether the runtime has made the call. */
	made(turn: ProviderTurn): boolean;
}

/** A provider on a real runtime, or one that plays it over the real protocol; ended when disposed of. */
export interface ProviderUnderTest extends AsyncDisposable {
	readonly provider: Provider;
	/** A turn in which the runtime does this, each in a new run of one thread. */
	turn(play: Play, session?: ProviderSession): Promise<ProviderTurn>;
	/** Whether anything of the turn has reached the runtime. */
	reached(turn: ProviderTurn): boolean;
	/** Undefined only if the runtime never asks. */
	readonly asking: AskingRuntime | undefined;
}

export type OpenProvider = () => Promise<ProviderUnderTest>;

/** Whether turns outlive the bridge. */
function outlivesBridge(provider: Provider): boolean {
	return provider.resumable === true;
}

// Real runtimes are started here: seconds on a busy machine.
const BOUND_MS = 30_000;

class Log implements TurnSink {
	/** All that was reported, in order. */
	readonly reports: string[] = [];
	readonly sessions: (ProviderSession | undefined)[] = [];
	readonly updates: ProviderUpdate[] = [];
	readonly requests: PermissionRequest[] = [];
	/** How requests are answered; replace it. */
	answers: () => Promise<PermissionAnswer> = async () => ({ decision: "withdrawn" });
	/** What the log does with a report; replace it to make it fail. */
	takes: (report: string) => void = () => {};

	async handOver(): Promise<void> {
		this.#take("hand over");
	}

	async emit(update: ProviderUpdate): Promise<void> {
		this.#take(update.kind);
		this.updates.push(update);
	}

	async requestPermission(request: PermissionRequest): Promise<PermissionAnswer> {
		this.#take("permission");
		this.requests.push(request);
		return this.answers();
	}

	rejectArtifact(): void {
		this.#take("rejected artifact");
	}

	async saveSession(session: ProviderSession | undefined): Promise<void> {
		this.#take("session");
		this.sessions.push(session);
	}

	get text(): string {
		return this.updates.map((update) => (update.kind === "message_delta" ? update.text : "")).join("");
	}

	get calls(): readonly Extract<ProviderUpdate, { kind: "tool_call" }>[] {
		return this.updates.filter((update) => update.kind === "tool_call");
	}

	#take(report: string): void {
		this.takes(report);
		this.reports.push(report);
	}
}

interface Running {
	readonly log: Log;
	readonly stop: AbortController;
	readonly outcome: ReturnType<Provider["runTurn"]>;
}

function begin(provider: Provider, turn: ProviderTurn, log = new Log()): Running {
	const stop = new AbortController();
	return { log, stop, outcome: provider.runTurn(turn, log, stop.signal) };
}

/** A turn whose runtime is at work. */
async function atWork({ provider, turn }: ProviderUnderTest): Promise<Running & { readonly turn: ProviderTurn }> {
	const working = await turn("works");
	const running = begin(provider, working);
	await vi.waitFor(() => expect(running.log.text).toContain("hello"), { timeout: BOUND_MS, interval: 10 });
	return { ...running, turn: working };
}

/**
 * Everything a provider promises, whatever its runtime is. The assistant has tests of its own instead (`bridge/test/providers/assistant/`):
 * it says nothing before its answer has been checked, and its conversation is the thread's record, so "is at work" and "saves a
 * conversation" have no meaning for it.
 */
export function providerContract(name: string, open: OpenProvider): void {
	describe(`${name}: a provider`, { timeout: 2 * BOUND_MS }, () => {
		it("tells what its runtime says, and that it ended", async () => {
			await using tested = await open();
			const { log, outcome } = begin(tested.provider, await tested.turn("ends"));
			expect(await outcome).toEqual({ kind: "ended" });
			expect(log.text).toContain("hello");
		});

		it("shows a call of a tool, and that it was completed", async () => {
			await using tested = await open();
			const { log, outcome } = begin(tested.provider, await tested.turn("calls"));
			expect(await outcome).toEqual({ kind: "ended" });
			expect(new Set(log.calls.map(({ toolCallId }) => toolCallId)).size).toBe(1);
			expect(log.calls[0]).toMatchObject({ title: expect.stringMatching(/\S/), toolKind: expect.any(String) });
			expect(log.calls[0]?.state).not.toBe("completed");
			expect(log.calls.at(-1)?.state).toBe("completed");
		});

		it.each([
			["allow_once", "completed"],
			["allow_window", "completed"],
			["deny", "denied"],
			["expired", "denied"],
		] as const)("shows a call, asks about it, and passes the answer on: %s", async (decision, end) => {
			await using tested = await open();
			if (tested.asking === undefined) return;
			const log = new Log();
			log.answers = async () => ({ decision });
			const turn = await tested.asking.turn();
			expect(await begin(tested.provider, turn, log).outcome).toEqual({ kind: "ended" });
			expect(log.requests).toMatchObject([
				{
					title: expect.stringMatching(/\S/),
					toolKind: expect.any(String),
					inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
					options: expect.arrayContaining(["allow_once", "deny"]),
				},
			]);
			expect(new Set([...log.calls, ...log.requests].map(({ toolCallId }) => toolCallId)).size).toBe(1);
			expect(log.reports.slice(0, log.reports.indexOf("permission"))).toContain("tool_call");
			expect(log.calls.at(-1)?.state).toBe(end);
			expect(log.calls.map(({ unpermitted }) => unpermitted)).not.toContainEqual(expect.anything());
			expect(tested.asking.made(turn)).toBe(end === "completed");
		});

		it("allows nothing when it is stopped while it asks", async () => {
			await using tested = await open();
			if (tested.asking === undefined) return;
			const log = new Log();
			const withdrawn = Promise.withResolvers<PermissionAnswer>();
			log.answers = () => withdrawn.promise;
			const turn = await tested.asking.turn();
			const { stop, outcome } = begin(tested.provider, turn, log);
			await vi.waitFor(() => expect(log.requests).toHaveLength(1), { timeout: BOUND_MS, interval: 10 });
			stop.abort();
			withdrawn.resolve({ decision: "withdrawn" });
			expect(await outcome).toEqual({ kind: "cancelled", remote: false });
			await tested.provider.close();
			expect(log.calls.at(-1)?.state).not.toBe("completed");
			expect(tested.asking.made(turn)).toBe(false);
		});

		it("allows nothing that the log does not record, and ends the turn with the log's own error", async () => {
			await using tested = await open();
			if (tested.asking === undefined) return;
			const log = new Log();
			log.takes = (report) => {
				if (report === "permission") throw new Error("the log is full");
			};
			const turn = await tested.asking.turn();
			await expect(begin(tested.provider, turn, log).outcome).rejects.toThrow("the log is full");
			expect(tested.asking.made(turn)).toBe(false);
		});

		it("has an outcome for a runtime that breaks, and is ready for the next turn", async () => {
			await using tested = await open();
			const broken = await begin(tested.provider, await tested.turn("breaks")).outcome;
			expect(["failed", "lost"]).toContain(broken.kind);
			expect(broken).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\S/) });
			expect(await begin(tested.provider, await tested.turn("ends")).outcome).toEqual({ kind: "ended" });
		});

		it("settles a stop as cancelled, and says nothing of the turn after its end", async () => {
			await using tested = await open();
			const { log, stop, outcome } = await atWork(tested);
			stop.abort();
			expect(await outcome).toEqual({ kind: "cancelled", remote: false });
			const told = [...log.reports];
			await begin(tested.provider, await tested.turn("ends")).outcome;
			await tested.provider.close();
			expect(log.reports).toEqual(told);
		});

		it("says nothing after an end that came by itself", async () => {
			await using tested = await open();
			const { log, stop, outcome } = begin(tested.provider, await tested.turn("ends"));
			await outcome;
			const told = [...log.reports];
			stop.abort();
			await tested.provider.close();
			expect(log.reports).toEqual(told);
		});

		it("does nothing in a turn that was stopped before it began", async () => {
			await using tested = await open();
			const turn = await tested.turn("ends");
			const log = new Log();
			expect(await tested.provider.runTurn(turn, log, AbortSignal.abort())).toEqual({ kind: "cancelled", remote: false });
			expect(log.updates).toEqual([]);
			expect(log.reports).not.toContain("hand over");
			expect(tested.reached(turn)).toBe(false);
		});

		it("hands over before anything of the turn acts, if it says that it does", async () => {
			await using tested = await open();
			if (tested.provider.handsOver !== true) return;
			const turn = await tested.turn("ends");
			const log = new Log();
			log.takes = (report) => {
				if (report !== "hand over") return;
				expect(tested.reached(turn)).toBe(false);
				throw new Error("the log is full");
			};
			await expect(begin(tested.provider, turn, log).outcome).rejects.toThrow("the log is full");
			expect(tested.reached(turn)).toBe(false);
			expect(log.text).toBe("");
		});

		it("ends a turn whose log takes nothing more with the log's own error", async () => {
			await using tested = await open();
			const log = new Log();
			log.takes = (report) => {
				if (report === "message_delta") throw new Error("the log is full");
			};
			await expect(begin(tested.provider, await tested.turn("works"), log).outcome).rejects.toThrow("the log is full");
		});

		it("saves a conversation that it can continue, and none when it keeps none", async () => {
			await using tested = await open();
			const first = begin(tested.provider, await tested.turn("ends"));
			await first.outcome;
			const saved = first.log.sessions.at(-1);
			expect(saved !== undefined).toBe(tested.provider.features.followUp);
			if (saved === undefined) return;
			const second = begin(tested.provider, await tested.turn("ends", saved));
			expect(await second.outcome).toEqual({ kind: "ended" });
			expect(second.log.reports).not.toContain("notice");
			expect(second.log.sessions.at(-1) ?? saved).toEqual(saved);
		});

		it("takes up a turn that outlives the bridge, and never begins it a second time", async () => {
			await using tested = await open();
			if (!outlivesBridge(tested.provider)) return;
			const turn = await tested.turn("ends");
			expect(await begin(tested.provider, { ...turn, begun: true }).outcome).toMatchObject({ kind: "lost" });
			expect(tested.reached(turn)).toBe(false);
		});

		it("closes while a turn is running, which ends with it unless it outlives the bridge", async () => {
			await using tested = await open();
			const { outcome } = await atWork(tested);
			await tested.provider.close();
			if (!outlivesBridge(tested.provider)) expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		});

		it("can be asked whether it is there, and to release what it keeps for a session, or does not", async () => {
			await using tested = await open();
			expect(await tested.provider.availability()).toMatchObject({ available: true });
			const turn = await tested.turn("ends");
			await begin(tested.provider, turn).outcome;
			for (const session of [turn.sessionId, SessionId.parse("never-heard-of")]) await tested.provider.releaseSession(session);
			expect(await begin(tested.provider, await tested.turn("ends")).outcome).toEqual({ kind: "ended" });
		});
	});
}
