import { type SessionUpdate, ThreadId, TurnId } from "@xworkmate/contracts";
import { beforeEach, expect, it } from "vitest";
import { takeItems } from "../../src/bridge-client/update-intake.ts";
import type { StreamItem } from "../../src/bridge-client/wire/stream-item.ts";
import { FakeRun } from "../support/fake-run.ts";
import { RecordingSink } from "../support/recording-sink.ts";

let sink: RecordingSink;
let run: FakeRun;

beforeEach(() => {
	sink = new RecordingSink();
	run = new FakeRun(sink.threadId, sink.turnId, "run-1").text("a", "b", "c").end("completed");
});

const items = (updates: readonly SessionUpdate[]): StreamItem[] => updates.map((update) => ({ type: "update", place: update, update }));
const answer = (of: FakeRun): StreamItem => ({ type: "answer", snapshot: of.snapshot() });
const seqs = () => sink.shown.map(({ seq }) => seq);

it("hands over each update once, in order, and gives the answer", () => {
	const [first, second, third, ...rest] = items(run.log);
	const twice = [first, second, second, third, first, third].filter((item) => item !== undefined);
	expect(takeItems(sink, twice)).toBeUndefined();
	expect(takeItems(sink, [{ type: "heartbeat" }, ...rest, answer(run)])).toEqual(run.snapshot());
	expect(sink.shown).toEqual(run.log);
});

it("hands over what came before a gap, and stops there", () => {
	expect(() => takeItems(sink, items(run.log.toSpliced(2, 1)))).toThrow(expect.objectContaining({ code: "ACP_HTTP_CONNECTION_CLOSED" }));
	expect(seqs()).toEqual([1, 2]);
});

it.each([
	["thread", () => new FakeRun(ThreadId.parse("other"), run.turnId, "run-1")],
	["turn", () => new FakeRun(run.threadId, TurnId.parse("turn-2"), "run-1")],
	["run", () => new FakeRun(run.threadId, run.turnId, "run-2")],
])("takes nothing of another %s, neither an update nor an answer", (_what, open) => {
	const other = open().text("x", "y", "z").end("completed");
	takeItems(sink, items(run.log.slice(0, 2)));
	for (const foreign of [...items(other.log.slice(2, 3)), answer(other)]) {
		expect(() => takeItems(sink, [foreign])).toThrow(expect.objectContaining({ code: "ACP_HTTP_200" }));
	}
	expect(sink.shown).toEqual(run.log.slice(0, 2));
});
