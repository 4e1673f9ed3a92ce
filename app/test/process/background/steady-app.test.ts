import { RequestId, ThreadId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi, TurnEvent } from "../../../src/api/app-api.ts";
import { remoteApp } from "../../../src/api/remote-app.ts";
import { RunningApp } from "../../../src/process/app/running-app.ts";
import { steadyApp } from "../../../src/process/background/steady-app.ts";
import { createAppServer } from "../../../src/server/create-app-server.ts";
import { fakeProcess } from "../../support/fake-process.ts";
import { plan } from "../../support/plan-story.ts";
import { updateOf } from "../../support/update-of.ts";

const token = "a-token-of-this-test";
const threadId = ThreadId.parse("t");
const turnId = TurnId.parse("u");

/** An app that is there until it is ended, as by a kill: in the middle of whatever it does. */
async function app(answers: Partial<AppApi>) {
	const server = createAppServer({ api: answers as AppApi, token, onError: () => undefined, process: fakeProcess });
	const url = await server.app.listen({ host: "127.0.0.1", port: 0 });
	return { running: new RunningApp(url, token, remoteApp(url, token), { pid: process.pid }), server, end: () => server.app.close() };
}

type App = Awaited<ReturnType<typeof app>>;

/** A home that these apps own, one after the other. */
function ownedBy(...apps: readonly App[]) {
	let current = 0;
	const lost: RunningApp[] = [];
	const owner = {
		get: async () => {
			const now = apps[current]?.running;
			if (now === undefined) throw new Error("no other app is left");
			return now;
		},
		lost: (gone: RunningApp) => {
			lost.push(gone);
			current++;
		},
	};
	const end = () => Promise.all(apps.map((one) => one.end()));
	return { api: steadyApp(owner), lost, [Symbol.asyncDispose]: async () => void (await end()) };
}

const never = () => new Promise<never>(() => undefined);

/** Ends as soon as it is asked, without an answer. */
async function dyingAt<Name extends keyof AppApi>(name: Name): Promise<App> {
	const dying: App = await app({
		[name]: () => {
			void dying.end();
			return never();
		},
	});
	return dying;
}

describe("a call whose app dies under it", () => {
	it("is repeated if that does no harm", async () => {
		const asked: unknown[] = [];
		const next = await app({
			createPlan: async (params) => {
				asked.push(params.requestId);
				return plan();
			},
			listThreads: async () => [],
		});
		await using first = ownedBy(await dyingAt("listThreads"), next);
		expect(await first.api.listThreads({ archived: false })).toEqual([]);
		await using second = ownedBy(await dyingAt("createPlan"), next);
		const requestId = RequestId.parse("command-1");
		await second.api.createPlan({
			...{ requestId, type: "immediate", title: "A plan", instructions: "", work: [], delivery: [], timezone: "UTC" },
			...{ overlap: "skip", conversation: "fresh", whenDeclined: "review" },
		});
		expect(asked).toEqual([requestId]);
	});

	it("is not repeated if it may have been done, and that is said", async () => {
		const deleted: unknown[] = [];
		const next = await app({
			deleteThread: async (params) => {
				deleted.push(params);
				return { deletedRuns: 0, freedBytes: 0 };
			},
		});
		await using home = ownedBy(await dyingAt("deleteThread"), next);
		await expect(home.api.deleteThread({ threadId })).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
		expect(deleted).toEqual([]);
	});

	it("is made of the next app if it certainly never arrived: nothing listens, or the app was about to end", async () => {
		const gone = await app({});
		await gone.end();
		const ending = await app({});
		ending.server.requests.areRefused = true;
		const next = await app({ deleteThread: async () => ({ deletedRuns: 1, freedBytes: 2 }) });
		await using home = ownedBy(gone, ending, next);
		expect(await home.api.deleteThread({ threadId })).toEqual({ deletedRuns: 1, freedBytes: 2 });
		expect(home.lost).toEqual([gone.running, ending.running]);
	});

	it("gives up when one app after the other dies", async () => {
		const dead = await Promise.all(Array.from({ length: 12 }, () => app({})));
		for (const one of dead) await one.end();
		await using home = ownedBy(...dead);
		await expect(home.api.listThreads({ archived: false })).rejects.toMatchObject({ code: "APP_GONE" });
	});
});

it("a followed turn continues after its last event, whichever app tells it", async () => {
	const asked: unknown[] = [];
	const event = (seq: number): TurnEvent => ({
		type: "update",
		update: updateOf(seq, { kind: "message_delta", messageId: "m", text: String(seq) }),
	});
	const first: App = await app({
		watch: async function* ({ afterSeq }) {
			asked.push(afterSeq);
			yield event(1);
			yield event(2);
			setImmediate(() => void first.end());
			await never();
		},
	});
	const next = await app({
		watch: async function* ({ afterSeq }) {
			asked.push(afterSeq);
			yield event(3);
			yield { type: "ended" } as TurnEvent;
		},
	});
	await using home = ownedBy(first, next);
	const seen = await Array.fromAsync(home.api.watch({ threadId, turnId }));
	expect(seen.map((one) => (one.type === "update" ? one.update.seq : one.type))).toEqual([1, 2, 3, "ended"]);
	expect(asked).toEqual([0, 2]);
});

it("a stream without numbers is not begun again in its middle", async () => {
	const first: App = await app({
		verifyReceipts: async function* () {
			yield { type: "progress" } as never;
			setImmediate(() => void first.end());
			await never();
		},
	});
	await using home = ownedBy(first, await app({}));
	await expect(Array.fromAsync(home.api.verifyReceipts({}))).rejects.toMatchObject({ code: "APP_GONE", fix: "Run the command again." });
});
