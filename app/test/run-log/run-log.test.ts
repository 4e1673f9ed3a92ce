import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GroundingState, Receipt, type ToolCallState, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { RunLog } from "../../src/api/ui-api.ts";
import type { FakeRun } from "../support/fake-run.ts";
import { UiScene } from "../support/ui-scene.ts";

async function logOf(onRun: (run: FakeRun) => void): Promise<RunLog> {
	await using ui = await UiScene.open();
	await ui.signIn();
	ui.scene.bridge.onRun = onRun;
	const sent = await ui.scene.send("do it");
	await ui.scene.end(sent);
	return (await ui.call<RunLog>("runLog", sent)).result;
}

describe("the run log that the page shows", () => {
	it("[D8] holds what an agent wrote to its standard error whole, line by line, under a line that fits", async () => {
		const cause = `exited with code 9\n${"  at cache.open (index.js:1)\n".repeat(60)}Error: cannot open model cache: EACCES`;
		const { entries } = await logOf((run) =>
			run.say({ kind: "notice", level: "error", code: "PROVIDER_EXITED", message: cause }).end("completed"),
		);
		const [notice] = entries.filter(({ what }) => what === "notice");
		expect(notice?.text).toMatch(/^PROVIDER_EXITED: exited with code 9 at .*…$/);
		expect(notice?.text.length).toBeLessThanOrEqual(300);
		expect(notice?.whole).toBe(`PROVIDER_EXITED: ${cause}`);
		expect(entries.find(({ what }) => what === "accepted")).not.toHaveProperty("whole");
	});

	it("shows no credential of an account, also of one whose file is not whole", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const file = `{"profiles": {"openai:a": {"type": "api_key", "key": "plain-local-key"}, "anthropic:o": {"access": "access-\\u0031234", "refr`;
		writeFileSync(join(ui.scene.home, "auth-profiles.json"), file);
		const message = "it said plain-local-key, access-1234";
		ui.scene.bridge.onRun = (run) => run.say({ kind: "notice", level: "error", code: "PROVIDER_ERROR", message }).end("completed");
		const sent = await ui.scene.send("do it");
		await ui.scene.end(sent);
		const { entries } = (await ui.call<RunLog>("runLog", sent)).result;
		expect(entries.find(({ what }) => what === "notice")?.text).toBe("PROVIDER_ERROR: it said [redacted], [redacted]");
	});

	it("says how a typed call's request ended, by whom and why", async () => {
		const asked = { toolId: ToolId.parse("calendar.event.delete"), title: "calendar.event.delete: Delete it" } as const;
		const { entries } = await logOf((run) => {
			run.offers("a1", undefined, asked);
			run.offers("a2", undefined, { ...asked, state: "decided", decision: "deny", decidedBy: "bridge", reason: "unattended" });
			run.end("completed");
		});
		const texts = entries.filter(({ what }) => what === "approval").map(({ text }) => text);
		expect(texts).toContain("calendar.event.delete: Delete it · pending");
		expect(texts).toContain("calendar.event.delete: Delete it · Denied: the run was unattended");
	});

	it("says sizes as everything else does", async () => {
		const { entries } = await logOf((run) => run.say({ kind: "artifacts", count: 2, totalBytes: 1_234_567, rejected: 0 }).end("completed"));
		expect(entries.find(({ what }) => what === "artifacts")?.text).toBe("2 files, 1.2 MB, 0 rejected");
	});

	it("counts what a plan holds, and says that there is more where that is too much for a page", async () => {
		const entries = Array.from({ length: 100 }, () => ({ content: "x".repeat(1_000), state: "pending" as const }));
		const log = await logOf((run) => {
			for (let index = 0; index < 41; index++) run.say({ kind: "plan", entries });
			run.end("completed");
		});
		expect(log.more).toBe(true);
	});

	it("tells a tool's input, what its agent says of it, and its output whole", async () => {
		const { entries } = await logOf((run) =>
			run
				.say({
					kind: "tool_call",
					toolCallId: "t1",
					title: "Build",
					toolKind: "execute",
					state: "failed",
					input: { text: "make -j2\nall", truncated: false },
					says: { text: "It also installs", truncated: false },
					output: { text: "no rule", truncated: false },
				})
				.end("completed"),
		);
		expect(entries.find(({ what }) => what === "tool_call")).toMatchObject({
			text: "Build · failed",
			whole: "Build · failed\n\nmake -j2\nall\n\nIt also installs\n\nno rule",
		});
	});

	it("says of each report of a call what that report said, also if the call had already failed", async () => {
		const { entries } = await logOf((run) => {
			const say = (state: ToolCallState, reportedState?: "completed") =>
				run.say({
					kind: "tool_call",
					toolCallId: "t1",
					title: "npm run lint",
					toolKind: "execute",
					state,
					...(reportedState && { reportedState }),
				});
			say("failed");
			say("failed", "completed");
			say("failed").end("completed");
		});
		const lines = entries.filter(({ what }) => what === "tool_call");
		expect(lines.map(({ text, problem }) => [text, problem])).toEqual([
			["npm run lint · failed", true],
			["npm run lint · completed, still counted as failed", true],
			["npm run lint · failed", true],
		]);
	});

	it("names a call by its command, whatever its agent calls it", async () => {
		const input = { text: '{"command":"rm -r old"}', truncated: false };
		const { entries } = await logOf((run) =>
			run
				.say({ kind: "tool_call", toolCallId: "t1", title: "List files", toolKind: "execute", state: "completed", input })
				.end("completed"),
		);
		expect(entries.find(({ what }) => what === "tool_call")).toMatchObject({ text: "rm -r old · “List files” · completed" });
	});

	it("makes one line of the pieces of a message, with all of its words", async () => {
		const words = ["The ", "quick\n", "fox"];
		const { entries } = await logOf((run) => {
			for (const text of words) run.say({ kind: "thought_delta", messageId: "m0", text });
			run.text(...words).end("completed");
		});
		const said = entries.filter(({ what }) => what.endsWith("_delta"));
		expect(said).toMatchObject([
			{ what: "thought_delta", text: "The quick fox", whole: "The quick\nfox", parts: 3 },
			{ what: "message_delta", text: "The quick fox", whole: "The quick\nfox", parts: 3 },
		]);
		const [first] = said;
		expect(first?.lastSeq).toBe((first?.seq ?? 0) + 2);
		expect(first?.lastAt).toBeDefined();
	});

	it("hides a secret that comes in two pieces of a message", async () => {
		const log = await logOf((run) => run.text("the token is a-token-", "for-tests, keep it").end("completed"));
		const shown = JSON.stringify(log);
		expect(shown).toContain("[redacted]");
		expect(shown).not.toMatch(/a-token-|for-tests/);
	});

	it("leaves nothing out of a message of 12,000 pieces, and names its stages by what is recorded", async () => {
		const { entries, more } = await logOf((run) => run.text(...Array.from({ length: 12_000 }, (_, index) => `${index} `)).end("completed"));
		expect(more).toBe(false);
		const [said] = entries.filter(({ what }) => what === "message_delta");
		expect(said).toMatchObject({ parts: 12_000 });
		expect(said?.whole?.trim().endsWith("11998 11999")).toBe(true);
		expect(entries.filter(({ what }) => what === "status").map(({ status, stage }) => ({ status, stage }))).toEqual([
			{ status: "running", stage: "starting" },
			{ status: "completed", stage: undefined },
		]);
	}, 30_000);
});

describe("a receipt in the run log", () => {
	const hash = "a".repeat(64);
	const of = { runId: "run1", origin: "executed", toolCallId: "call-1", toolId: "calendar.events.create", risk: "write" };
	const receipt = (n: number, type: string, more: object) => {
		const at = "2026-01-02T10:00:00.000Z";
		return { kind: "receipt" as const, ...Receipt.parse({ receiptId: `run1.${n}`, n, at, type, ...of, prevHash: hash, hash, ...more }) };
	};

	it("is one line in words: what was asked, who allowed it, and how it ended", async () => {
		const { entries } = await logOf((run) =>
			run
				.say(receipt(1, "tool.call.requested", { input: { text: '{"title":"x"}', truncated: false } }))
				.say(receipt(2, "tool.call.approved", { decision: { by: "discord:mira", decision: "allow_once" } }))
				.say(receipt(3, "tool.call.unknown", { outcome: { code: "OUTCOME_UNKNOWN", attempt: 1, durationMs: 5 } }))
				.end("completed"),
		);
		const lines = entries.filter(({ what }) => what === "receipt");
		expect(lines.map(({ text }) => text)).toEqual([
			"Requested: calendar.events.create, write",
			"Allowed once by mira on Discord: calendar.events.create",
			"Outcome unknown: calendar.events.create, Outcome unknown, won’t be repeated",
		]);
		expect(lines[0]?.whole).toContain('{"title":"x"}');
		expect(lines.map(({ problem = false }) => problem)).toEqual([false, false, true]);
	});

	it("says what an answer is worth, and marks one that nothing backs as a problem", async () => {
		const problems = [{ code: "CLAIM_WITHOUT_ACTION" as const, start: 0, end: 9 }];
		const lineOf = async (state: GroundingState, found = problems) => {
			const { entries } = await logOf((run) =>
				run
					.text("I sent it")
					.say({ kind: "answer", grounding: { state, problems: found } })
					.end("completed"),
			);
			const { text, problem } = entries.find(({ what }) => what === "answer") ?? {};
			return { text, problem };
		};
		expect(await lineOf("unverified")).toEqual({ text: "Couldn't verify 1 sentence of the answer (CLAIM_WITHOUT_ACTION)", problem: true });
		expect(await lineOf("replaced")).toMatchObject({ text: expect.stringContaining("XWorkmate wrote this answer"), problem: true });
		expect(await lineOf("no_action", [])).toEqual({ text: "The answer was checked: 0 actions completed", problem: undefined });
		expect(await lineOf("grounded", [])).toEqual({ text: "The answer was checked: receipts back it", problem: undefined });
	});
});
