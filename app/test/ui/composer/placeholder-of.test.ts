import { expect, it } from "vitest";
import { placeholderOf } from "../../../src/ui/composer/placeholder-of.ts";

it("says of a message behind a run that it is sent once that run succeeds, because any other end pauses the queue", () => {
	expect(placeholderOf({ isThread: true, busy: true, isLive: true, isScript: false })).toBe("Queue a follow-up for when this run succeeds");
});
