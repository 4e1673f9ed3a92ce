import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../src/api/app-api.ts";
import type { ThreadSummary } from "../../src/api/ui-api.ts";
import { CoreScene, held } from "../support/core-scene.ts";
import { until } from "../support/until.ts";

type Sent = Awaited<ReturnType<CoreScene["send"]>>;
type Lost = Extract<TurnEvent, { type: "connection_lost" }>;

/** An active run that the app has contact with. */
async function underWay(scene: CoreScene, send: () => Promise<Sent> = () => scene.send("x")) {
	const run = held(scene.bridge);
	const sent = await send();
	const turn = async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns.at(-1);
	await until("the run is known", async () => (await turn())?.lastSeq === 2);
	return { run, sent };
}

/** The thread as a page that comes now gets it. */
async function listed(scene: CoreScene, { threadId }: Sent): Promise<ThreadSummary | undefined> {
	const changes = scene.api.changes()[Symbol.asyncIterator]();
	const first = await changes.next();
	await changes.return?.();
	if (first.done === true || first.value.type !== "state") throw new Error("no state came");
	return first.value.state.threads.find((thread) => thread.threadId === threadId);
}

/** What a page that follows the turn is told about its connection, until it is told so much. */
async function told(scene: CoreScene, { threadId, turnId }: Sent, enough: (event: TurnEvent) => boolean) {
	const events: TurnEvent[] = [];
	for await (const event of scene.api.watch({ threadId, turnId })) {
		if (event.type === "connection_lost" || event.type === "connection_restored") events.push(event);
		if (enough(event)) return events;
	}
	return events;
}

const isLost = (event: TurnEvent): event is Lost => event.type === "connection_lost";

describe("a run that is not heard of", () => {
	it("[D4] is listed as of its last news while the bridge is away, and as it is once the bridge has said so", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		expect((await listed(scene, sent))?.asOf).toBeUndefined();
		const { updatedAt } = (await scene.api.showThread({ threadId: sent.threadId })).thread;
		await scene.bridge.down();
		await until("it is listed as of its last news", async () => (await listed(scene, sent))?.asOf === updatedAt);
		await scene.bridge.listen();
		await until("it is listed as it is", async () => (await listed(scene, sent))?.asOf === undefined);
		expect((await listed(scene, sent))?.lastTurn?.status).toBe("running");
	});

	it("[D4] is as of its last news also when a stop is asked for meanwhile", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		const { updatedAt } = (await scene.api.showThread({ threadId: sent.threadId })).thread;
		await scene.bridge.down();
		await until("it is listed as of its last news", async () => (await listed(scene, sent))?.asOf === updatedAt);
		// The clock has moved on, so that a time that is taken now is another one.
		await until("a later moment", () => new Date().toISOString() > updatedAt);
		await scene.api.cancelTurn(sent);
		const shown = await scene.api.showThread({ threadId: sent.threadId });
		expect(shown.thread.turns.at(-1)?.cancelRequestedAt).toBeDefined();
		expect([shown.asOf, (await listed(scene, sent))?.asOf]).toEqual([updatedAt, updatedAt]);
	});

	it("keeps its place in the list when the bridge is back and has nothing new to say of it", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		const { updatedAt } = (await scene.api.showThread({ threadId: sent.threadId })).thread;
		await scene.bridge.down();
		await until("it is listed as of its last news", async () => (await listed(scene, sent))?.asOf === updatedAt);
		// The clock has moved on, so that a time that is taken now is another one.
		await until("a later moment", () => new Date().toISOString() > updatedAt);
		// No stream answers, so the app asks how the run is.
		scene.bridge.fault = ({ method }) => (method === "xworkmate.tasks.subscribe" ? { kind: "status", status: 503 } : undefined);
		const before = scene.bridge.countOf("xworkmate.tasks.get");
		await scene.bridge.listen();
		// Each attempt asks at most twice, so the third question comes after an answer has been written.
		await until("an answer has been written", () => scene.bridge.countOf("xworkmate.tasks.get") > before + 2);
		const { thread } = await scene.api.showThread({ threadId: sent.threadId });
		expect([thread.updatedAt, (await listed(scene, sent))?.updatedAt]).toEqual([updatedAt, updatedAt]);
	});

	it("[D4] tells every page when that begins and ends", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		await underWay(scene);
		const seen: (string | undefined)[] = [];
		const changes = scene.api.changes();
		const reading = (async () => {
			for await (const change of changes) if (change.type === "thread") seen.push(change.thread.asOf);
		})();
		await scene.bridge.down();
		await until("it was told", () => seen.some((asOf) => asOf !== undefined));
		await scene.bridge.listen();
		await until("it was told again", () => seen.length > 0 && seen.at(-1) === undefined);
		await changes[Symbol.asyncIterator]().return?.();
		await reading;
	});

	it("[D4] is not called running by an app that has just started and found no bridge", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		await scene.restart(() => scene.bridge.down());
		expect((await listed(scene, sent))?.asOf).toBeDefined();
		const [first] = await told(scene, sent, isLost);
		expect(first).toMatchObject({ type: "connection_lost" });
	});

	it("[D4] is not called running by an app that has just started, until the bridge answered about it", async () => {
		await using scene = await CoreScene.open();
		const { sent } = await underWay(scene);
		const asked = Promise.withResolvers<void>();
		await scene.restart(() => {
			scene.bridge.fault = ({ method }) => {
				if (method === "xworkmate.tasks.get") asked.resolve();
				return method.startsWith("xworkmate.tasks.") ? { kind: "status", status: 503 } : undefined;
			};
		});
		expect((await told(scene, sent, isLost))[0]).toMatchObject({ type: "connection_lost" });
		await asked.promise;
		expect((await listed(scene, sent))?.asOf).toBeDefined();
		scene.bridge.fault = () => undefined;
		await until("it is listed as it is", async () => (await listed(scene, sent))?.asOf === undefined);
	});

	it("[D34] is heard of again at once, even when it has nothing to say", async () => {
		await using scene = await CoreScene.open({ client: { idleMs: 60_000, pollMs: 60_000, recoveryMs: 60_000 } });
		const { sent } = await underWay(scene);
		await scene.restart();
		const events = await told(scene, sent, (event) => event.type === "connection_restored");
		expect(events.map(({ type }) => type)).toEqual(["connection_lost", "connection_restored"]);
	});

	it.each([
		["", false],
		[" while a stop of it waits to be sent", true],
	])("[D4] is never listed as running when the bridge is back, if it ended meanwhile%s", async (_, stop) => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { run, sent } = await underWay(scene);
		const seen: ThreadSummary[] = [];
		const changes = scene.api.changes();
		const reading = (async () => {
			for await (const change of changes) if (change.type === "thread") seen.push(change.thread);
		})();
		await scene.bridge.down();
		await until("it is listed as of its last news", () => seen.at(-1)?.asOf !== undefined);
		if (stop) await scene.api.cancelTurn(sent);
		run().text("a last word").end("interrupted", {}, "BRIDGE_RESTARTED");
		await scene.bridge.listen();
		await scene.end(sent);
		await until("its end is listed", () => seen.at(-1)?.lastTurn?.status === "interrupted");
		await changes[Symbol.asyncIterator]().return?.();
		await reading;
		const afterLoss = seen.slice(seen.findIndex(({ asOf }) => asOf !== undefined));
		expect(afterLoss.filter(({ asOf, lastTurn }) => asOf === undefined && lastTurn?.status === "running")).toEqual([]);
	});

	it("[D4] is asked about as soon as the bridge runs again, however long the pause between two tries had become", async () => {
		const slow = { backoffMinMs: 120_000, backoffMaxMs: 120_000, recoveryMs: 600_000 };
		await using scene = await CoreScene.open({ client: slow });
		const { run, sent } = await underWay(scene);
		await scene.bridge.down();
		await told(scene, sent, isLost);
		scene.app.bridgeTroubled({ what: "ended", own: true, attempt: 1 });
		run().end("interrupted", {}, "BRIDGE_RESTARTED");
		await scene.bridge.listen();
		scene.app.bridgeTroubled(undefined);
		expect(await scene.end(sent)).toMatchObject({ turn: { status: "interrupted" } });
	});
});

describe("a bridge of this app's that ended", () => {
	const ended = { what: "ended", own: true, attempt: 1 } as const;

	it("[D4] cut the runs that were executing in it, and those who watch one are told so", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		await scene.bridge.down();
		const telling = told(scene, sent, (event) => isLost(event) && event.bridgeEnded === true);
		scene.app.bridgeTroubled(ended);
		expect((await telling).at(-1)).toMatchObject({ type: "connection_lost", bridgeEnded: true });
	});

	it("[D4] cut no run of a gateway, which goes on without it", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene, () => scene.sendToGateway("x"));
		await scene.bridge.down();
		scene.app.bridgeTroubled(ended);
		const [lost] = await told(scene, sent, isLost);
		expect(lost).not.toHaveProperty("bridgeEnded");
	});

	it("[D4] is no news of a bridge that is silent: its runs may go on", async () => {
		await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		const { sent } = await underWay(scene);
		scene.app.bridgeTroubled({ what: "silent", own: true });
		expect((await listed(scene, sent))?.asOf).toBeDefined();
		await scene.bridge.down();
		const [lost] = await told(scene, sent, isLost);
		expect(lost).not.toHaveProperty("bridgeEnded");
	});
});

describe("a stop", () => {
	it("[D3] that arrives late stops the turn that it was asked for, and never a later one", async () => {
		await using scene = await CoreScene.open();
		const { run, sent } = await underWay(scene);
		run().end("completed");
		await scene.end(sent);
		const later = await scene.send("and now this", sent.threadId);
		await until("the later one runs", () => scene.bridge.runs.length === 2);
		await scene.api.cancelTurn(sent);
		run().text("still at work").end("completed");
		expect(await scene.end(later)).toMatchObject({ turn: { status: "completed" } });
		expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(0);
	});
});
