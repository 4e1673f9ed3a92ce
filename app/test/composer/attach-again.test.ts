import { ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { attachAgain } from "../../src/composer/attach-again.ts";
import type { ThreadStore } from "../../src/threads/index.ts";

const threadId = ThreadId.parse("thread");
const [first, second] = [TurnId.parse("first"), TurnId.parse("second")];

/** Each of the two messages had a file of the same name, and one of its own. */
const store: Pick<ThreadStore, "keptAttachments"> = {
	keptAttachments: ({ turnId }) =>
		["a.txt", `${turnId}.txt`].map((name) => ({
			...{ name, mediaType: "text/plain", sizeBytes: 1, sha256: "0".repeat(64) as never },
			bytes: Buffer.from(`${name} of ${turnId}`),
		})),
};

const textsOf = (wanted: Parameters<typeof attachAgain>[2]) =>
	attachAgain(store, threadId, wanted).map(({ bytes }) => Buffer.from(bytes).toString());

it("takes the files of each earlier message from that message", () => {
	expect(
		textsOf([
			{ turnId: first, names: ["first.txt"] },
			{ turnId: second, names: ["a.txt", "second.txt"] },
		]),
	).toEqual(["first.txt of first", "a.txt of second", "second.txt of second"]);
});

it("names every file that a message no longer has, whichever message it is", () => {
	const wanted = [
		{ turnId: first, names: ["a.txt", "x.txt"] },
		{ turnId: second, names: ["first.txt"] },
	];
	expect(() => textsOf(wanted)).toThrow("These files are no longer available: x.txt, first.txt.");
	expect(() => textsOf(wanted.slice(0, 1))).toThrow("x.txt is no longer available.");
});
