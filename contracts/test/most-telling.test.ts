import { expect, it } from "vitest";
import { mostTelling } from "../src/activity/most-telling.ts";
import { type ActivityItem, failedCommandsIn, lackingIn, unpermittedIn } from "../src/index.ts";
import { activityWith, edit, reported } from "./answers/reported-calls.ts";

const edits = Array.from({ length: 20 }, (_, index) => ({ ...edit, status: "succeeded" as const, words: `file-${index}.ts` }));
const ran = (words: string, status: "failed" | "succeeded", second: number) => {
	return { ...reported, words, status, when: `2026-11-23T10:00:${10 + second}.000Z` };
};
type Calls = readonly (Partial<ActivityItem> & Pick<ActivityItem, "status">)[];
const cut = (...calls: Calls) => mostTelling([...activityWith(...calls).items], 5);

it.each<[string, Calls, ReturnType<typeof lackingIn>]>([
	["that was denied", [{ ...edit, status: "succeeded", unpermitted: "denied" }], "unverified"],
	["that did not happen", [{ ...edit, status: "succeeded", contradiction: "untouched" }], "unverified"],
	["that the bridge did not make", [{ status: "succeeded" }, { status: "failed" }], "undone"],
	[
		"whose outcome is unknown, after others that failed",
		[...edits.map(() => ({ status: "failed" as const })), { status: "unknown" }],
		"unknown",
	],
])("a list that is cut still shows a call %s", (_what, calls, lacking) => {
	expect(lackingIn({ activity: { items: cut(...edits, ...calls) } })).toBe(lacking);
});

it("a list that is cut shows the most serious call of those without permission", () => {
	const unanswered = edits.map((one) => ({ ...one, unpermitted: "unanswered" as const }));
	expect(unpermittedIn({ items: cut(...unanswered, { ...edit, status: "succeeded", unpermitted: "denied" }) })).toBe("denied");
});

it("a list that is cut shows how each command ended last", () => {
	const calls = [ran("npm test", "failed", 1), ...edits, ran("npm test", "succeeded", 2), ran("make", "failed", 3)];
	expect(failedCommandsIn({ items: cut(...calls) })).toEqual(["make"]);
	const later = Array.from({ length: 9 }, (_, index) => ran(`ls ${index}`, "succeeded", 4 + index));
	expect(failedCommandsIn({ items: cut(...calls, ...later) })).toEqual(["make"]);
});

it("a list that is cut keeps its order, and a call of each kind that judgments look for", () => {
	const items = cut(...edits, { status: "succeeded", words: "Send the mail" }, ran("make", "failed", 1));
	expect(items.map(({ words }) => words)).toEqual(["file-0.ts", "file-1.ts", "file-2.ts", "Send the mail", "make"]);
	expect(cut(...edits.slice(0, 5))).toHaveLength(5);
});
