import { type Receipt, RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { listReceipts } from "../../src/cli/receipt-commands.ts";
import { CoreScene } from "../support/core-scene.ts";
import { looseReceipt } from "../support/receipt-of.ts";
import { RecordingConsole } from "../support/recording-console.ts";

/** The lines of `receipts list` for these receipts. */
async function listed(...items: Receipt[]): Promise<readonly string[]> {
	await using scene = await CoreScene.open();
	const console = new RecordingConsole();
	const api = { ...scene.api, listReceipts: async () => ({ items }) };
	await listReceipts({ api, console, json: false }, { run: RunId.parse("run1") });
	return console.lines;
}

it("names both accounts of a switch and why, and what the check of an answer found", async () => {
	const detail = { from: "anthropic:work", to: "anthropic:home", reason: "x\u001b[2J", cause: "rate_limited" };
	expect(
		await listed(
			looseReceipt(1, "auth.profile.rotated", detail),
			looseReceipt(2, "answer.checked", { state: "replaced", references: 0, problems: "NO_ANSWER" }),
		),
	).toEqual([
		expect.stringMatching(
			/auth\.profile\.rotated {2}Switched from account anthropic:work to account anthropic:home: the rate limit was reached$/,
		),
		expect.stringMatching(/answer\.checked {2}Answer checked: XWorkmate wrote it$/),
	]);
});
