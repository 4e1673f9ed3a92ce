import { ContractError, NotedHash, type Plan, PlanId, Receipt, type ReceiptProblem, RunId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { RemoteAppError } from "../../src/api/remote-app.ts";
import { exportReceipts, listReceipts, showReceipt, verifyReceipts } from "../../src/cli/receipts/receipt-commands.ts";
import { localTime } from "../../src/text/local-time.ts";
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
			/auth\.profile\.rotated {2}Switched from account anthropic:work to account anthropic:home: the first one reached its rate limit$/,
		),
		expect.stringMatching(/answer\.checked {2}Answer checked: XWorkmate wrote it$/),
	]);
});

it("says of a denial who denied it, or why no one answered", async () => {
	const denied = (n: number, by: string, reason: "person" | "run_ended" | "withdrawn") =>
		Receipt.parse({ ...looseReceipt(n, "answer.checked", {}), type: "tool.call.denied", decision: { by, decision: "deny", reason } });
	expect(await listed(denied(1, "person", "person"), denied(2, "bridge", "run_ended"), denied(3, "policy", "withdrawn"))).toEqual([
		expect.stringMatching(/ {2}denied by you$/),
		expect.stringMatching(/ {2}not answered: the run ended first$/),
		// As earlier bridges wrote it.
		expect.stringMatching(/ {2}not answered: the request was withdrawn$/),
	]);
});

it("names a reported call by its command, as the page does, and says what the agent calls it", async () => {
	const call = { type: "tool.call.requested", origin: "reported", toolCallId: "c1", toolId: "trick:execute" };
	const requested = (words: string, command?: string) => {
		const input = command !== undefined && { text: JSON.stringify({ command }), truncated: false };
		return Receipt.parse({ ...looseReceipt(1, "answer.checked", {}), ...call, words, ...(input && { input }) });
	};
	expect(
		await listed(requested("npm test", "rm -rf build"), requested("Run: ls", "ls"), requested("Look"), requested("Tool call", "ls")),
	).toEqual([
		expect.stringMatching(/ {2}trick:execute {2}"rm -rf build" {2}the agent calls it "npm test" {2}\(reported by the agent\)$/),
		expect.stringMatching(/ {2}trick:execute {2}"Run: ls" {2}\(reported/),
		expect.stringMatching(/ {2}trick:execute {2}"Look" {2}\(reported/),
		expect.stringMatching(/ {2}trick:execute {2}"ls" {2}\(reported/),
	]);
});

const PLAN = PlanId.parse("plan1");

it("names the plan of a message by its title, and one that is not there by its id alone", async () => {
	await using scene = await CoreScene.open();
	const console = new RecordingConsole();
	const ofRun = looseReceipt(1, "answer.checked", { actionId: "plan1-1-1", channel: "email", recipient: "anna" });
	const { runId: _, ...rest } = ofRun;
	const sent = (planId: string) => Receipt.parse({ ...rest, planId, receiptId: `${planId}.1`, type: "delivery.succeeded" });
	const plan = async ({ planId }: { planId: string }) => {
		if (planId === "plan3") throw new RemoteAppError({ code: "NOT_FOUND", message: "There is no such plan." });
		if (planId !== PLAN) throw new ContractError("NOT_FOUND");
		return { title: "News\u001b[2J at nine" } as Plan;
	};
	const api = { ...scene.api, listReceipts: async () => ({ items: [sent("plan1"), sent("plan2"), sent("plan3")] }), plan };
	await listReceipts({ api, console, json: false }, { plan: PLAN });
	expect(console.lines).toEqual([
		expect.stringMatching(/^plan1\.1 .*delivery\.succeeded {2}for plan "News.* at nine" {2}Message sent \(Email to anna\)$/),
		expect.stringMatching(/^plan2\.1 .*delivery\.succeeded {2}Message sent \(Email to anna\)$/),
		expect.stringMatching(/^plan3\.1 .*delivery\.succeeded {2}Message sent \(Email to anna\)$/),
	]);
	expect(console.lines.join()).not.toContain("\u001b");
});

const result = { ok: true, runs: 0, plans: 1, receipts: 3, independence: "self_attested" as const, problems: [] };

it("says how far a long verification has come: in a line that changes, or once where there is none", async () => {
	await using scene = await CoreScene.open();
	vi.spyOn(performance, "now").mockImplementation(() => (now += 600));
	let now = 0;
	const statuses: (string | undefined)[] = [];
	class Terminal extends RecordingConsole {
		override readonly interactive: boolean = true;
		override status(text?: string): void {
			statuses.push(text);
		}
	}
	const verifyWith = async (console: RecordingConsole) => {
		const verification = async function* () {
			for (const receipts of [10, 20, 30]) yield { type: "progress" as const, receipts, of: 40 };
			yield { type: "ended" as const, result };
		};
		expect(await verifyReceipts({ api: { ...scene.api, verifyReceipts: verification }, console, json: false }, {}, undefined)).toBe(0);
		return console.notes;
	};
	expect(await verifyWith(new Terminal())).toEqual([]);
	expect(statuses).toEqual([...[10, 20, 30].map((n) => `Verifying: ${n} of 40 receipts`), ""]);
	expect(await verifyWith(new RecordingConsole())).toEqual(["Verifying: 20 of 40 receipts"]);
	vi.restoreAllMocks();
});

const SAVED = "c81f20a96b3e";
const [unsealed, unread, edited] = (["UNSEALED", "LEDGER_UNREADABLE", "EDITED"] as const).map(
	(code): ReceiptProblem => ({ code, message: "It says why.", n: 2 }),
);
const unmatched: ReceiptProblem = { code: "FORGED", message: "The hash that you saved is not in any chain." };
const NOT_FOUND =
	"The hash that you saved wasn't found: the whole store may have been rewritten, or the run or plan may have been deleted.";

it.each([
	[[unsealed], undefined, ["Couldn't be fully verified: 3 receipts of 0 runs and 1 plan."]],
	[[unread], undefined, ["Couldn't be fully verified: 3 receipts of 0 runs and 1 plan."]],
	[[unread, edited], undefined, ["Not intact: 3 receipts of 0 runs and 1 plan."]],
	[[unsealed], "head_matched", [expect.any(String), "The receipts include the hash that you saved."]],
	[[edited, unmatched], "self_attested", ["Not intact: 3 receipts of 0 runs and 1 plan.", NOT_FOUND]],
	[[unsealed, unmatched], "self_attested", ["Couldn't be fully verified: 3 receipts of 0 runs and 1 plan.", NOT_FOUND]],
	[[unmatched], "self_attested", ["Consistent with the bridge's own ledger: 3 receipts of 0 runs and 1 plan.", NOT_FOUND]],
	[
		[unread],
		"self_attested",
		[expect.any(String), "None of these receipts has the hash that you saved, and the ledger couldn't be searched for it."],
	],
] as const)(
	"says %j, with a saved hash %s, in words that claim neither a change nor a search that wasn't made",
	async (found, of, said) => {
		await using scene = await CoreScene.open();
		const console = new RecordingConsole();
		const problems = found.flatMap((one) => one ?? []);
		const verification = async function* () {
			yield { type: "ended" as const, result: { ...result, ok: false, independence: of ?? result.independence, problems } };
		};
		const api = { ...scene.api, verifyReceipts: verification };
		expect(await verifyReceipts({ api, console, json: false }, {}, of && NotedHash.parse(SAVED))).toBe(1);
		expect(console.lines.slice(problems.filter((one) => one !== unmatched).length)).toEqual(said);
	},
);

it("says of a saved hash that isn't found for one run that it may be another's", async () => {
	await using scene = await CoreScene.open();
	const console = new RecordingConsole();
	const runId = RunId.parse("run1");
	const verification = async function* () {
		yield { type: "ended" as const, result: { ...result, ok: false, problems: [{ ...unmatched, runId }] } };
	};
	const api = { ...scene.api, verifyReceipts: verification };
	expect(await verifyReceipts({ api, console, json: false }, { runId }, NotedHash.parse(SAVED))).toBe(1);
	expect(console.lines.slice(1)).toEqual([
		"The hash that you saved wasn't found for this run: its receipts may have been rewritten, or the hash may be that of another run or plan.",
	]);
});

it("verifies and exports the receipts of one plan", async () => {
	await using scene = await CoreScene.open();
	const console = new RecordingConsole();
	const asked: unknown[] = [];
	const api = {
		...scene.api,
		verifyReceipts: async function* (of: object) {
			asked.push(of);
			yield { type: "ended" as const, result };
		},
		exportReceipts: async function* (of: object) {
			asked.push(of);
			yield { type: "line" as const, text: "{}" };
			yield { type: "ended" as const };
		},
	};
	await verifyReceipts({ api, console, json: false }, { planId: PLAN }, undefined);
	await exportReceipts({ api, console, json: false }, { planId: PLAN });
	expect(asked).toEqual([{ planId: PLAN }, { planId: PLAN }]);
	expect(console.lines).toContain("Intact: 3 receipts of 0 runs and 1 plan.");
});

it("lists times by this computer's clock, and shows the exact one of a receipt; --json has it too", async () => {
	const receipt = looseReceipt(1, "answer.checked", {});
	const [line = ""] = await listed(receipt);
	expect(line).toContain(`  ${localTime(receipt.at, Date.now())}  `);
	expect(line).not.toContain(receipt.at);
	await using scene = await CoreScene.open();
	const console = new RecordingConsole();
	const api = { ...scene.api, receipt: async () => ({ receipt, trail: [receipt] }), listReceipts: async () => ({ items: [receipt] }) };
	await showReceipt({ api, console, json: false }, receipt.receiptId);
	expect(console.lines[0]).toContain(receipt.at);
	await listReceipts({ api, console, json: true }, {});
	expect(console.lines.at(-1)).toContain(receipt.at);
});

it("says of an input and of an output that is cut that it is", async () => {
	const shown = async (truncated: boolean) => {
		const outcome = { preview: { text: "3 events", truncated }, attempt: 1, durationMs: 5 };
		const receipt = Receipt.parse({ ...looseReceipt(1, "answer.checked", {}), input: { text: "{}", truncated }, outcome });
		await using scene = await CoreScene.open();
		const console = new RecordingConsole();
		const api = { ...scene.api, receipt: async () => ({ receipt, trail: [receipt] }) };
		await showReceipt({ api, console, json: false }, receipt.receiptId);
		return console.lines;
	};
	expect(await shown(true)).toEqual(expect.arrayContaining(["  input: {} (truncated)", "  output: 3 events (truncated)"]));
	expect(await shown(false)).toEqual(expect.arrayContaining(["  input: {}", "  output: 3 events"]));
});
