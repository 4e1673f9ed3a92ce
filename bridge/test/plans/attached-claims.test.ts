import type { DeliveryAction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { workResult } from "../../src/plans/work/work-result.ts";

type Addressed = Pick<DeliveryAction, "channel" | "attach" | "content">;

/** The grounding of a message of a run that delivered these files. */
async function groundingOf(
	message: string,
	files: readonly string[],
	attach?: boolean,
	channel: DeliveryAction["channel"] = "email",
	before?: readonly string[],
) {
	return (await resultOf(message, files, [{ channel, ...(attach !== undefined && { attach }) }], before)).grounding;
}

/** @param before the files of the run whose message this run was only asked to write again */
async function resultOf(message: string, files: readonly string[], delivery: readonly Addressed[], before?: readonly string[]) {
	const answer = Buffer.from(`<deliverable>\n${message}\n</deliverable>`);
	const pieces = async function* () {
		yield answer;
	};
	const parts = {
		runs: { evidence: async (runId: string) => evidenceOf(runId === "run-1" ? (before ?? []) : files) },
		results: { answer: async () => ({ totalBytes: answer.length, pieces }) },
		channels: new Map(),
		providers: async () => [],
	};
	const run = {
		...{ status: "completed", runId: "run-2", provider: { target: "agent", providerId: "codex" } },
		artifacts: { items: files.map((relativePath) => ({ relativePath })), count: files.length },
	};
	const runs = before === undefined ? [] : [{ runId: "run-1" }, { runId: "run-2", rewrites: "run-1" }];
	const result = await workResult(parts as never, { delivery, runs } as never, run as never);
	expect(result.deliverable?.text).toBe(message);
	return result;
}

function evidenceOf(paths: readonly string[]) {
	return { activity: undefined, delivered: { paths, count: paths.length } };
}

const ATTACHED = "Please see the attached report.pdf.";

it("a message that says that a file is attached is doubted, unless its files are sent with it", async () => {
	expect(await groundingOf(ATTACHED, [])).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, ["report.pdf"])).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, [], true)).toMatchObject({ state: "unverified" });
	expect(await groundingOf(ATTACHED, ["report.pdf"], true)).toBeUndefined();
	expect(await groundingOf(ATTACHED, ["report.pdf"], true, "dashboard"), "the inbox shows no files").toMatchObject({ state: "unverified" });
});

it("a message that goes to some with its files, and to others without, is doubted only where it goes without", async () => {
	const both: readonly Addressed[] = [{ channel: "email", attach: true }, { channel: "dashboard" }];
	expect(await resultOf(ATTACHED, ["report.pdf"], both)).toMatchObject({ grounding: { state: "unverified" }, isBackedByFiles: true });
	expect(await resultOf(ATTACHED, [], both)).not.toHaveProperty("isBackedByFiles");
	expect(await resultOf(ATTACHED, ["report.pdf"], [{ channel: "dashboard", attach: true }])).not.toHaveProperty("isBackedByFiles");
	const own: readonly Addressed[] = [{ channel: "email", attach: true, content: "Hi" }, { channel: "dashboard" }];
	expect(await resultOf(ATTACHED, ["report.pdf"], own)).not.toHaveProperty("isBackedByFiles");
});

it("a message that was only written again is judged by the files of the work, which are sent with it", async () => {
	expect(await groundingOf(ATTACHED, [], true, "email", ["report.pdf"])).toBeUndefined();
	expect(await groundingOf(ATTACHED, ["report.pdf"], true, "email", [])).toMatchObject({ state: "unverified" });
	expect(await groundingOf("I wrote report.pdf.", [], undefined, "email", ["report.pdf"])).toBeUndefined();
});
