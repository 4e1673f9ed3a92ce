import type { DeliveryAction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { workResult } from "../../src/plans/work/work-result.ts";

/** The grounding of a message of a run that delivered these files. */
async function groundingOf(message: string, files: readonly string[], attach?: boolean, channel: DeliveryAction["channel"] = "email") {
	const answer = Buffer.from(`<deliverable>\n${message}\n</deliverable>`);
	const pieces = async function* () {
		yield answer;
	};
	const parts = {
		runs: { evidence: async () => ({ activity: undefined, delivered: { paths: files, count: files.length } }) },
		results: { answer: async () => ({ totalBytes: answer.length, pieces }) },
		channels: new Map(),
		providers: async () => [],
	};
	const action: Pick<DeliveryAction, "channel" | "attach"> = { channel, ...(attach !== undefined && { attach }) };
	const run = {
		...{ status: "completed", runId: "run-1", provider: { target: "agent", providerId: "codex" } },
		artifacts: { items: files.map((relativePath) => ({ relativePath })), count: files.length },
	};
	const result = await workResult(parts as never, { delivery: [action] } as never, run as never);
	expect(result.deliverable?.text).toBe(message);
	return result.grounding;
}

const ATTACHED = "Please see the attached report.pdf.";

it("a message that says that a file is attached is doubted, unless its files are sent with it", async () => {
	expect(await groundingOf(ATTACHED, [])).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, ["report.pdf"])).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, [], true)).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, ["report.pdf"], true)).toBeUndefined();
	expect(await groundingOf(ATTACHED, ["report.pdf"], true, "dashboard"), "the inbox shows no files").toMatchObject({ state: "unverified" });
});
