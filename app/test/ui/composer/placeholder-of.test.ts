import { expect, it } from "vitest";
import { placeholderOf } from "../../../src/ui/composer/placeholder-of.ts";

const busy = { isThread: true, busy: true, isLive: true, isScript: false } as const;

it("says of a message behind a run that it is sent once that run succeeds, because any other end pauses the queue", () => {
	expect(placeholderOf({ ...busy, isPaused: false })).toBe("Queue a follow-up to send if this run succeeds");
});

it("doesn't say so of a message behind others that wait for the user", () => {
	expect(placeholderOf({ ...busy, isPaused: true })).toBe("Add a follow-up to the paused queue");
});
