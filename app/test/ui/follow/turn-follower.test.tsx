import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import { TurnFollower } from "../../../src/ui/follow/turn-follower.ts";
import { endOf } from "../../../src/ui/turn/turn-view.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { ended, summary, update } from "../stories.ts";

const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");
const text = (seq: number) => update(seq, { kind: "message_delta", messageId: "m", text: `${seq},` });
const event = (seq: number) => ({ type: "update", update: text(seq) });
const end = { type: "ended", thread: summary("thread1", 9), turn: ended({}, undefined).turn };

const opened: Disposable[] = [];
afterEach(() => {
	for (const one of opened.splice(0)) one[Symbol.dispose]();
});

/** A page that follows a turn of which these updates are stored. */
function follow(stored: () => readonly number[]) {
	const app = new FakeApp();
	const follower = new TurnFollower(threadId, turnId);
	app.answers.set("readUpdates", ({ afterSeq, limit }) => {
		const left = stored().filter((seq) => seq > Number(afterSeq));
		return { updates: left.slice(0, Number(limit)).map(text), more: left.length > Number(limit) };
	});
	opened.push(app, { [Symbol.dispose]: () => follower.leave() });
	const shown = () => follower.turn.value.view.items.map((item) => (item.kind === "message" ? item.text : item.kind)).join("");
	return { app, follower, shown };
}

describe("a turn that is followed", () => {
	it("is what is stored, however many pages that is, and then what happens", async () => {
		const all = Array.from({ length: 2_500 }, (_, index) => index + 1);
		const { app, follower, shown } = follow(() => all);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		expect(app.of("readUpdates").map(({ afterSeq }) => afterSeq)).toEqual([0, 1_000, 2_000]);
		expect(app.stream?.path).toContain("afterSeq=2500");
		app.stream?.line(event(2_501));
		app.stream?.line(end);
		await until("it is over", () => follower.turn.value.state === "read");
		expect(shown()).toBe([...all, 2_501].map((seq) => `${seq},`).join(""));
		expect(follower.turn.value).toMatchObject({ seenLive: true, view: { ended: { type: "ended" } } });
	});

	it("goes on where it was after the connection broke: nothing twice, nothing left out", async () => {
		const stored = [1];
		const { app, follower, shown } = follow(() => stored);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line(event(2));
		await until("it shows", () => shown() === "1,2,");
		stored.push(2, 3);
		app.stream?.break();
		await until("it follows again", () => app.streams.length === 2);
		app.stream?.line(event(3));
		app.stream?.line(event(4));
		await until("all of it shows", () => shown() === "1,2,3,4,");
		expect(follower.turn.value.state).toBe("live");
	});

	it("is not taken as over when its stream ends before the turn does", async () => {
		const { app, follower } = follow(() => [1]);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.end();
		await until("it follows again, or takes it as over", () => app.streams.length === 2 || follower.turn.value.state === "read");
		expect([app.streams.length, follower.turn.value.view.ended]).toEqual([2, undefined]);
	});

	it("is not over once the app has taken up its run again, which it had given up on", async () => {
		const { app, follower } = follow(() => [1]);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line({ ...end, turn: { ...end.turn, status: "unresolved" } });
		await until("the app has given up on it", () => follower.turn.value.state === "read");
		expect(endOf(follower.turn.value.view)).toBe("unresolved");
		follower.follow(true);
		await until("it is followed again", () => app.streams.length === 2);
		expect(endOf(follower.turn.value.view)).toBeUndefined();
	});

	it("that is not there any more says so, and is not asked for again", async () => {
		const { app, follower } = follow(() => []);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line({ type: "refused", failure: { code: "TURN_NOT_FOUND", message: "there is no such turn" } });
		await until("it says so", () => follower.turn.value.state === "failed");
		expect(follower.turn.value.problem).toBe("there is no such turn");
	});

	it("gives its stream back when nobody looks, and keeps what it has", async () => {
		const { app, follower, shown } = follow(() => [1]);
		follower.follow(true);
		await until("its stream is open", () => app.streams.length === 1);
		follower.leave();
		expect(app.stream?.closed).toBe(true);
		expect(shown()).toBe("1,");
		follower.follow(true);
		await until("it follows again", () => app.streams.length === 2);
	});

	it("of the past is read without a stream", async () => {
		const { app, follower, shown } = follow(() => [1, 2]);
		follower.follow(false);
		await until("it is read", () => follower.turn.value.state === "read");
		expect([shown(), app.streams.length, follower.turn.value.seenLive]).toEqual(["1,2,", 0, false]);
	});

	it("is read on if its run's result names updates that came after the last one read, and not again if all are there", async () => {
		const stored = [1, 2];
		const { app, follower, shown } = follow(() => stored);
		follower.follow(false);
		await until("it is read", () => follower.turn.value.state === "read");
		stored.push(3);
		follower.follow(false, 3);
		await until("the rest is read", () => shown() === "1,2,3,");
		await until("all is read", () => follower.turn.value.state === "read");
		follower.follow(false, 3);
		expect(app.of("readUpdates").map(({ afterSeq }) => afterSeq)).toEqual([0, 2]);
	});

	it("is not read again and again for updates that were not there, but is read for later ones", async () => {
		const stored = [1, 2];
		const { app, follower, shown } = follow(() => stored);
		follower.follow(false, 4);
		await until("it is read", () => follower.turn.value.state === "read");
		follower.follow(false, 4);
		expect([follower.turn.value.state, app.of("readUpdates").length]).toEqual(["read", 1]);
		stored.push(3, 4, 5);
		follower.follow(false, 5);
		await until("the rest is read", () => shown() === "1,2,3,4,5,");
	});
});
