import { limits } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { isFetchedAgain } from "../../../src/text/files/fetched-again.ts";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, send, synced, tell, turnIdOf } from "../../support/thread-story.ts";

const partial = tell(
	freshThread(),
	send("t1"),
	handle("t1"),
	ended("t1", (run) => run.end("completed", { "a.md": "a" })),
	synced("t1", [], "partial"),
);
const [t1, now] = [turnIdOf("t1"), Date.parse(AT)];

it("the app fetches missing files of a thread's newest run again, for as long as it says", () => {
	expect(isFetchedAgain(partial, t1, now)).toBe(true);
	expect(isFetchedAgain(partial, t1, now + limits.unresolvedKeepMs - 1)).toBe(true);
	expect(isFetchedAgain(partial, t1, now + limits.unresolvedKeepMs)).toBe(false);
});

it("the app fetches no files of an earlier run again, nor of an archived thread", () => {
	expect(isFetchedAgain(tell(partial, send("t2")), t1, now)).toBe(false);
	expect(isFetchedAgain(tell(partial, { type: "archive", at: AT }), t1, now)).toBe(false);
	// A message that the full queue turned away started no run.
	expect(isFetchedAgain(tell(partial, send("t2", "full")), t1, now)).toBe(true);
});
