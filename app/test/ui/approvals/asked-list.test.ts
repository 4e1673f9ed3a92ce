import { ApprovalId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { nextAsked } from "../../../src/ui/approvals/asked-list.ts";
import { approval } from "../stories.ts";

const first = approval();
const second = approval({ approvalId: ApprovalId.parse("ask2") });
const ended = { ...first, state: "withdrawn" } as const;
const answers = new Map<string, typeof ended>([[first.approvalId, ended]]);

describe("the requests on Home", () => {
	const asked = nextAsked([], { pending: [first, second], answers: new Map(), now: 0, isInUse: false });

	it("are the same list as long as nothing changed", () => {
		expect(asked.map(({ approval }) => approval)).toEqual([first, second]);
		expect(nextAsked(asked, { pending: [first, second], answers: new Map(), now: 900_000, isInUse: false })).toBe(asked);
	});

	it("keep one that is over in its place for a moment, with what happened to it, and not for longer", () => {
		const over = nextAsked(asked, { pending: [second], answers, now: 1_000, isInUse: false });
		expect(over).toEqual([{ approval: ended, overAt: 1_000 }, { approval: second }]);
		const later = (now: number, isInUse = false) => nextAsked(over, { pending: [second], answers, now, isInUse });
		expect(later(10_999)).toBe(over);
		expect(later(11_000)).toEqual([{ approval: second }]);
		// A button that moves under the pointer is pressed by mistake.
		expect(later(60_000, true)).toBe(over);
	});

	it("leave out at once what the app does not have any more and nothing is known of", () => {
		expect(nextAsked(asked, { pending: [second], answers: new Map(), now: 1, isInUse: false })).toEqual([{ approval: second }]);
	});
});
